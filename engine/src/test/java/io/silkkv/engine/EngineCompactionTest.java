package io.silkkv.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.api.EngineStats;
import io.silkkv.engine.api.ReadView;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.scheduler.BackgroundJobs;
import io.silkkv.engine.scheduler.Lane;
import io.silkkv.engine.testkit.MemFileSystem;
import java.util.List;
import org.junit.jupiter.api.Test;

class EngineCompactionTest {
  private static final String LARGE = "x".repeat(1500);

  private final MemFileSystem files = new MemFileSystem();

  private EngineFixture open(BackgroundJobs jobs) {
    return new EngineFixture(files, EngineFixture.TINY, jobs, 1);
  }

  private static List<Integer> filesPerLevel(EngineFixture fixture) {
    return fixture.engine.stats().levels().stream().map(EngineStats.Level::files).toList();
  }

  @Test
  void outputIsCutAtTheTargetSize() {
    try (EngineFixture fixture = open(BackgroundJobs.inline())) {
      for (int round = 0; round < 2; round++) {
        fixture.put("a", LARGE);
        fixture.put("b", LARGE);
        fixture.put("c", "");
        fixture.rotate("").join();
      }
      assertThat(filesPerLevel(fixture)).containsExactly(0, 0, 0, 0, 0, 0, 2);
    }
  }

  @Test
  void versionsOfOneKeyStayInOneFileHoweverLarge() {
    try (EngineFixture fixture = open(BackgroundJobs.inline())) {
      ReadView[] views = new ReadView[4];
      for (int i = 0; i < views.length; i++) {
        fixture.put("a", LARGE + i);
        views[i] = fixture.engine.view();
        fixture.rotate("").join();
      }
      assertThat(fixture.engine.stats().compactions()).isPositive();
      assertThat(fixture.told.failures).isEmpty();
      for (int i = 0; i < views.length; i++) {
        assertThat(views[i].get(Slice.utf8("a")).value().toUtf8()).isEqualTo(LARGE + i);
        views[i].close();
      }
    }
  }

  @Test
  void deletionStaysWhileADeeperLevelHoldsItsKey() {
    try (EngineFixture fixture = open(BackgroundJobs.inline())) {
      for (int i = 0; i < 40; i++) {
        fixture.put("key" + i, LARGE);
        if (i % 4 == 3) {
          fixture.rotate("").join();
        }
      }
      assertThat(filesPerLevel(fixture).stream().filter(n -> n > 0).count()).isGreaterThan(1);
      for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 40; i += 2) {
          fixture.delete("key" + i);
        }
        fixture.rotate("").join();
      }
      for (int i = 0; i < 40; i++) {
        assertThat(fixture.get("key" + i)).isEqualTo(i % 2 == 0 ? null : LARGE);
      }
      fixture.reopen();
      for (int i = 0; i < 40; i++) {
        assertThat(fixture.get("key" + i)).isEqualTo(i % 2 == 0 ? null : LARGE);
      }
    }
  }

  @Test
  void deletedKeyStaysForAViewFromBeforeItsDeletion() {
    try (EngineFixture fixture = open(BackgroundJobs.inline())) {
      fixture.put("a", "1");
      ReadView view = fixture.engine.view();
      fixture.delete("a");
      fixture.rotate("").join();
      fixture.put("0", "1");
      fixture.put("b", "1");
      fixture.rotate("").join();
      assertThat(fixture.engine.stats().compactions()).isPositive();
      assertThat(view.get(Slice.utf8("a")).value().toUtf8()).isEqualTo("1");
      assertThat(fixture.get("a")).isNull();
      view.close();
    }
  }

  @Test
  void tablesThatMeetNothingAreMovedNotRewritten() {
    try (EngineFixture fixture = open(BackgroundJobs.inline())) {
      for (int i = 0; i < 20; i++) {
        fixture.put("key" + (char) ('a' + i), LARGE);
        fixture.rotate("").join();
      }
      assertThat(fixture.engine.stats().compactions()).isPositive();
      assertThat(fixture.engine.stats().compactedBytes()).isZero();
      fixture.reopen();
      assertThat(fixture.get("keyt")).isEqualTo(LARGE);
    }
  }

  @Test
  void levelZeroAndDeepJobsNeverShareATable() {
    try (EngineFixture fixture = open(BackgroundJobs.manual())) {
      for (int i = 0; i < 200; i++) {
        fixture.put("key" + i % 17, LARGE);
        if (i % 3 == 0) {
          fixture.rotate("");
          fixture.jobs.runOne(Lane.FLUSH);
          fixture.jobs.runOne(i % 2 == 0 ? Lane.L0 : Lane.DEEP);
        }
      }
      fixture.jobs.runAll();
      assertThat(fixture.told.failures).isEmpty();
      for (int i = 0; i < 17; i++) {
        assertThat(fixture.get("key" + i)).isEqualTo(LARGE);
      }
    }
  }
}
