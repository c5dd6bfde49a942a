package io.silkkv.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.engine.api.Cursor;
import io.silkkv.engine.api.EngineStats;
import io.silkkv.engine.api.Probe;
import io.silkkv.engine.api.ReadView;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.engine.scheduler.BackgroundJobs;
import io.silkkv.engine.testkit.MemFileSystem;
import org.junit.jupiter.api.Test;

class EngineRangeDeleteTest {
  private final MemFileSystem files = new MemFileSystem();

  private EngineFixture open(BackgroundJobs jobs) {
    return new EngineFixture(files, EngineFixture.TINY, jobs, 1);
  }

  private static Slice key(int number) {
    return Slice.utf8(String.format("key%05d", number));
  }

  private static void fill(EngineFixture fixture, int keys) {
    for (int from = 0; from < keys; from += 50) {
      WriteBatch batch = new WriteBatch();
      for (int i = from; i < from + 50; i++) {
        batch.put(key(i), Slice.wrap(new byte[100]));
      }
      fixture.write(batch);
      fixture.rotate("").join();
    }
  }

  private static long bytes(EngineFixture fixture) {
    return fixture.engine.stats().levels().stream().mapToLong(EngineStats.Level::bytes).sum();
  }

  private static int count(EngineFixture fixture) {
    int keys = 0;
    try (ReadView view = fixture.engine.view();
        Cursor cursor = view.cursor(null, null)) {
      for (cursor.first(); cursor.valid(); cursor.next()) {
        keys++;
      }
    }
    return keys;
  }

  @Test
  void rangeIsGoneAtOnceInMemoryInFilesAndAfterARestart() {
    try (EngineFixture fixture = open(BackgroundJobs.inline())) {
      fill(fixture, 400);
      fixture.write(new WriteBatch().deleteRange(key(100), key(300)));
      assertThat(fixture.engine.probe(key(200))).isInstanceOf(Probe.Absent.class);
      for (int round = 0; round < 3; round++) {
        assertThat(fixture.engine.get(key(99))).isNotNull();
        assertThat(fixture.engine.get(key(100))).isNull();
        assertThat(fixture.engine.get(key(299))).isNull();
        assertThat(fixture.engine.get(key(300))).isNotNull();
        assertThat(count(fixture)).isEqualTo(200);
        if (round == 0) {
          fixture.rotate("").join();
        } else {
          fixture.reopen();
        }
      }
    }
  }

  @Test
  void keyThatIsWrittenAfterwardsLivesAndTheOrderWithinABatchCounts() {
    try (EngineFixture fixture = open(BackgroundJobs.inline())) {
      fixture.write(
          new WriteBatch()
              .put(key(1), key(1))
              .put(key(2), key(2))
              .deleteRange(key(0), key(5))
              .put(key(2), key(3)));
      for (int round = 0; round < 2; round++) {
        assertThat(fixture.engine.get(key(1))).isNull();
        assertThat(fixture.engine.get(key(2)).value()).isEqualTo(key(3));
        fixture.rotate("").join();
      }
    }
  }

  @Test
  void viewFromBeforeSeesWhatWasDeleted() {
    try (EngineFixture fixture = open(BackgroundJobs.inline())) {
      fill(fixture, 200);
      ReadView view = fixture.engine.view();
      fixture.write(new WriteBatch().deleteRange(key(0), key(1000)));
      fixture.rotate("").join();
      fill(fixture, 50);
      assertThat(view.get(key(150))).isNotNull();
      try (Cursor cursor = view.cursor(null, null)) {
        int keys = 0;
        for (cursor.last(); cursor.valid(); cursor.prev()) {
          keys++;
        }
        assertThat(keys).isEqualTo(200);
      }
      assertThat(count(fixture)).isEqualTo(50);
      view.close();
    }
  }

  /** tikv/tikv#8565: all is deleted, and the space never comes back. */
  @Test
  void oneDeletionOfAllGivesTheSpaceBackWithoutReadingWhatItDeletes() {
    try (EngineFixture fixture = open(BackgroundJobs.inline())) {
      fill(fixture, 3000);
      assertThat(bytes(fixture)).isGreaterThan(250_000);
      long before = fixture.engine.stats().compactedBytes();
      fixture.write(new WriteBatch().deleteRange(Slice.EMPTY, Slice.utf8("z")));
      fixture.rotate("").join();
      assertThat(bytes(fixture)).isZero();
      assertThat(fixture.engine.stats().compactedBytes() - before).isLessThan(60_000);
      assertThat(count(fixture)).isZero();
    }
  }

  /** cockroachdb/cockroach#24029: thousands of range deletions made reads and compactions crawl. */
  @Test
  void thousandsOfRangeDeletionsAreFewFragmentsSoon() {
    try (EngineFixture fixture = open(BackgroundJobs.inline())) {
      fill(fixture, 1000);
      for (int i = 0; i < 2000; i++) {
        // A queue: all that is older than what is read next.
        fixture.write(new WriteBatch().deleteRange(key(0), key(1 + i % 999)));
        if (fixture.engine.wantsRotation()) {
          fixture.rotate("").join();
        }
      }
      fixture.rotate("").join();
      assertThat(count(fixture)).isEqualTo(1);
      assertThat(bytes(fixture)).isLessThan(5_000);
    }
  }

  @Test
  void emptyRangeIsRefused() {
    assertThatThrownBy(() -> new WriteBatch().deleteRange(key(5), key(5)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("empty");
  }
}
