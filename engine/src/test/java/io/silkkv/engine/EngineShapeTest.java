package io.silkkv.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.api.EngineStats;
import io.silkkv.engine.api.ReadView;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.engine.scheduler.BackgroundJobs;
import io.silkkv.engine.scheduler.Lane;
import io.silkkv.engine.testkit.FaultInjectingFileSystem;
import io.silkkv.engine.testkit.FaultInjectingFileSystem.Operation;
import io.silkkv.engine.testkit.MemFileSystem;
import io.silkkv.engine.testkit.Seeded;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What users of other engines suffered from because of the shape of the tree, each with a bound.
 */
class EngineShapeTest {
  private static final EngineOptions TINY = EngineFixture.TINY;

  @RegisterExtension final Seeded seeded = new Seeded();

  private final FaultInjectingFileSystem files = new FaultInjectingFileSystem(new MemFileSystem());

  private EngineFixture open(EngineOptions options, BackgroundJobs jobs) {
    return new EngineFixture(files, options, jobs, seeded.seed());
  }

  private static List<EngineStats.Level> levels(EngineFixture fixture) {
    return fixture.engine.stats().levels();
  }

  private static long bytes(EngineFixture fixture) {
    return levels(fixture).stream().mapToLong(EngineStats.Level::bytes).sum();
  }

  /** Overwrites random keys of a range and flushes. */
  private void overwrite(EngineFixture fixture, int keys, int writes) {
    WriteBatch batch = new WriteBatch();
    for (int i = 0; i < writes; i++) {
      String key = String.format("key%05d", seeded.random().nextInt(keys));
      batch.put(Slice.utf8(key), Slice.wrap(new byte[100]));
    }
    fixture.write(batch);
    fixture.rotate("");
  }

  @Test
  void treeGrowsFromTheLastLevelUpAndSettlesWithoutDebt() {
    try (EngineFixture fixture = open(TINY, BackgroundJobs.inline())) {
      int keys = 100;
      while (keys < 4000) {
        for (int i = 0; i < 10; i++) {
          overwrite(fixture, keys, 60);
        }
        keys += keys / 2;
      }
      EngineStats stats = fixture.engine.stats();
      assertThat(stats.debtBytes()).isZero();
      assertThat(stats.baseLevel()).isBetween(2, 5);
      for (EngineStats.Level level : stats.levels().subList(1, 6)) {
        assertThat(level.bytes()).isLessThanOrEqualTo(level.targetBytes());
      }
      for (EngineStats.Level level : stats.levels().subList(1, stats.baseLevel())) {
        assertThat(level.files()).isZero();
      }
    }
  }

  /** facebook/rocksdb#9423: the estimate of the work exploded when level 0 became smaller. */
  @Test
  void debtFollowsWhatIsWrittenAndNeverJumpsUp() {
    try (EngineFixture fixture = open(TINY, BackgroundJobs.manual())) {
      long before = 0;
      for (int i = 0; i < 200; i++) {
        overwrite(fixture, 3000, 40);
        while (fixture.jobs.runOne(Lane.FLUSH)) {
          // All that is due.
        }
        fixture.jobs.runOne(i % 2 == 0 ? Lane.L0 : Lane.DEEP);
        fixture.jobs.runOne(Lane.CLEANUP);
        long now = fixture.engine.stats().debtBytes();
        long largest = levels(fixture).stream().mapToLong(EngineStats.Level::bytes).max().orElse(0);
        // A new table of level 0 can cost one pass over each level below it.
        long bound = 6 * TINY.levelBaseBytes() + 4 * largest;
        assertThat(now - before).isLessThanOrEqualTo(bound);
        before = now;
      }
      fixture.jobs.runAll();
      assertThat(fixture.engine.stats().debtBytes()).isZero();
    }
  }

  /** facebook/rocksdb#10903: level 0 waited for minutes for a job below it. */
  @Test
  void deeperJobGivesUpForLevelZeroAndLeavesNothingBehind() throws Exception {
    try (EngineFixture fixture = open(TINY, BackgroundJobs.manual())) {
      for (int i = 0; i < 60; i++) {
        overwrite(fixture, 2000, 60);
        fixture.jobs.runAll();
      }
      int base = fixture.engine.stats().baseLevel();
      while (fixture.engine.stats().debtBytes() == 0) {
        overwrite(fixture, 2000, 60);
        fixture.jobs.runOne(Lane.FLUSH);
        fixture.jobs.runOne(Lane.L0);
      }
      // In the middle of a job of the base level, level 0 becomes due.
      AtomicInteger tries = new AtomicInteger();
      List<Long> levelZeroAfter = new ArrayList<>();
      files.failWhen(
          call -> {
            // Not in the manifest: this thread would pass the lock that keeps others out.
            boolean inDeepJob =
                call.operation() == Operation.CREATE
                    && call.path().toString().endsWith(".sst")
                    && tries.getAndIncrement() == 0;
            if (inDeepJob) {
              for (int i = 0; i < TINY.l0CompactionTrigger(); i++) {
                overwrite(fixture, 2000, 60);
                fixture.jobs.runOne(Lane.FLUSH);
              }
              fixture.jobs.runOne(Lane.L0);
            }
            return false;
          });
      while (tries.get() == 0) {
        assertThat(fixture.jobs.runOne(Lane.DEEP)).as("a job of level %s", base).isTrue();
      }
      files.heal();
      // The base level may have its turn first.
      fixture.jobs.runOne(Lane.L0);
      fixture.jobs.runOne(Lane.L0);
      levelZeroAfter.add((long) levels(fixture).get(0).files());
      assertThat(levelZeroAfter.get(0)).isLessThan(TINY.l0CompactionTrigger());
      fixture.jobs.runAll();
      assertThat(fixture.engine.stats().debtBytes()).isZero();
      long tables =
          files.list(EngineFixture.DIRECTORY).stream().filter(n -> n.endsWith(".sst")).count();
      assertThat(tables)
          .as("the job that gave up has removed what it wrote")
          .isEqualTo(levels(fixture).stream().mapToInt(EngineStats.Level::files).sum());
      assertThat(fixture.engine.stats().obsoleteBytes()).isZero();
    }
  }

  /** Writes without a pause: level 0 comes first, and yet the base level stays bounded. */
  @Test
  void baseLevelGetsItsTurnWhileLevelZeroIsAlwaysDue() {
    try (EngineFixture fixture = open(TINY, BackgroundJobs.manual())) {
      long most = 0;
      for (int i = 0; i < 200; i++) {
        overwrite(fixture, 3000, 40);
        fixture.jobs.runOne(Lane.FLUSH);
        while (fixture.jobs.runOne(Lane.L0)) {
          // The lane of level 0 alone, as if deeper jobs were paused.
        }
        fixture.jobs.runOne(Lane.CLEANUP);
        int base = fixture.engine.stats().baseLevel();
        most = base == 6 ? most : Math.max(most, levels(fixture).get(base).bytes());
      }
      assertThat(most).isLessThanOrEqualTo(12 * TINY.levelBaseBytes());
    }
  }

  /** facebook/rocksdb#1297, HISTORY #10257: writes stopped, and nothing ran that would end it. */
  @Test
  void stoppedWritesAlwaysHaveAJobThatRelievesThem() {
    try (EngineFixture fixture = open(TINY, BackgroundJobs.manual())) {
      for (int round = 0; round < 30; round++) {
        for (int i = 0; i < TINY.l0StopWrites() || fixture.engine.acceptsWrites(); i++) {
          overwrite(fixture, 1 + round * 100, 20);
          fixture.jobs.runOne(Lane.FLUSH);
        }
        int jobs = 0;
        while (!fixture.engine.acceptsWrites()) {
          assertThat(fixture.jobs.runOne(Lane.L0)).isTrue();
          // Only against a loop without end: deeper levels do not help here.
          assertThat(++jobs).isLessThan(8 * TINY.l0StopWrites());
        }
      }
    }
  }

  /** facebook/rocksdb#13120, tikv/tikv#8565: all is deleted, and the space never comes back. */
  @Test
  void everythingIsDeletedAndTheSpaceComesBackWithoutAnyMoreWrites() {
    try (EngineFixture fixture = open(TINY, BackgroundJobs.inline())) {
      for (int i = 0; i < 60; i++) {
        overwrite(fixture, 2000, 60);
      }
      assertThat(bytes(fixture)).isGreaterThan(50_000);
      for (int from = 0; from < 2000; from += 100) {
        WriteBatch batch = new WriteBatch();
        for (int key = from; key < from + 100; key++) {
          batch.delete(Slice.utf8(String.format("key%05d", key)));
        }
        fixture.write(batch);
      }
      fixture.rotate("").join();
      assertThat(bytes(fixture)).isZero();
      assertThat(fixture.engine.stats().obsoleteBytes()).isZero();
    }
  }

  @Test
  void deletionsThatAViewHeldGoAfterItIsClosed() {
    EngineOptions options = TINY.toBuilder().l0CompactionTrigger(3).build();
    try (EngineFixture fixture = open(options, BackgroundJobs.inline())) {
      fixture.put("a", "1");
      fixture.put("b", "1");
      fixture.rotate("").join();
      ReadView view = fixture.engine.view();
      fixture.delete("a");
      fixture.delete("b");
      fixture.rotate("").join();
      assertThat(view.get(Slice.utf8("a"))).isNotNull();
      long held = levels(fixture).stream().mapToLong(EngineStats.Level::deletions).sum();
      assertThat(held).isEqualTo(2);
      view.close();
      // Any change makes the engine look again.
      fixture.put("c", "1");
      fixture.rotate("").join();
      assertThat(levels(fixture).stream().mapToLong(EngineStats.Level::deletions).sum()).isZero();
      assertThat(fixture.get("a")).isNull();
      assertThat(fixture.get("c")).isEqualTo("1");
    }
  }

  /** facebook/rocksdb#8041: little is written, so nothing is ever due by size. */
  @Test
  void oldDataReachesTheLastLevelHoweverLittleIsWritten() {
    EngineOptions options = TINY.toBuilder().fileTtlSeconds(100).build();
    try (EngineFixture fixture = open(options, BackgroundJobs.inline())) {
      fixture.put("a", "1");
      fixture.rotate("").join();
      assertThat(levels(fixture).get(0).files()).isEqualTo(1);
      fixture.wallSeconds.addAndGet(100);
      fixture.reopen();
      assertThat(levels(fixture).get(0).files()).isZero();
      assertThat(levels(fixture).get(6).files()).isEqualTo(1);
      assertThat(fixture.get("a")).isEqualTo("1");
    }
  }

  /** facebook/rocksdb#5663: space of a store whose keys are overwritten for ever. */
  @Test
  void overwritingTakesLittleMoreSpaceThanTheData() {
    EngineOptions options =
        TINY.toBuilder().levelMultiplier(10).levelBaseBytes(8 << 10).bloomBitsPerKey(0).build();
    try (EngineFixture fixture = open(options, BackgroundJobs.inline())) {
      long keys = 4000;
      for (int i = 0; i < 300; i++) {
        overwrite(fixture, (int) keys, 100);
      }
      fixture.rotate("").join();
      long entries = levels(fixture).stream().mapToLong(EngineStats.Level::entries).sum();
      assertThat((double) entries / keys).isLessThanOrEqualTo(1.25);
      assertThat((double) bytes(fixture) / levels(fixture).get(6).bytes())
          .isLessThanOrEqualTo(1.25);
    }
  }

  /** A tree of an earlier release has its data on the first levels: it sinks and stays readable. */
  @Test
  void sizesOfLevelsFollowADataSetThatShrinks() {
    try (EngineFixture fixture = open(TINY, BackgroundJobs.inline())) {
      for (int i = 0; i < 100; i++) {
        overwrite(fixture, 4000, 60);
      }
      int deepest = fixture.engine.stats().baseLevel();
      for (int from = 100; from < 4000; from += 100) {
        WriteBatch batch = new WriteBatch();
        for (int key = from; key < from + 100; key++) {
          batch.delete(Slice.utf8(String.format("key%05d", key)));
        }
        fixture.write(batch);
        fixture.rotate("").join();
      }
      for (int i = 0; i < 10; i++) {
        overwrite(fixture, 100, 60);
      }
      EngineStats stats = fixture.engine.stats();
      assertThat(stats.baseLevel()).isGreaterThan(deepest);
      assertThat(stats.debtBytes()).isZero();
      assertThat(bytes(fixture)).isLessThan(30_000);
    }
  }

  /** cockroachdb/pebble#203: one compaction of 17 GB. */
  @Test
  void deepJobsAreBoundedHoweverLargeTheTree() {
    try (EngineFixture fixture = open(TINY, BackgroundJobs.manual())) {
      long most = 0;
      for (int i = 0; i < 200; i++) {
        // Few keys over the whole range: each table of level 0 meets all of the base level.
        overwrite(fixture, 4000, 30);
        while (fixture.jobs.runOne(Lane.FLUSH) || fixture.jobs.runOne(Lane.L0)) {
          // All that is due.
        }
        long before = fixture.engine.stats().compactedBytes();
        while (fixture.jobs.runOne(Lane.DEEP)) {
          long now = fixture.engine.stats().compactedBytes();
          most = Math.max(most, now - before);
          before = now;
        }
        fixture.jobs.runOne(Lane.CLEANUP);
      }
      // One table, ten of the level below that it may meet, and one at each end of them.
      assertThat(most).isPositive().isLessThanOrEqualTo(16 * TINY.targetFileBytes());
      assertThat(bytes(fixture)).isGreaterThan(4 * most);
    }
  }

  /** facebook/rocksdb#10536: a view that is open for long. */
  @Test
  void longViewHoldsOneMoreVersionOfEachKeyAndNoFileOfItsOwn() {
    try (EngineFixture fixture = open(TINY, BackgroundJobs.inline())) {
      for (int i = 0; i < 40; i++) {
        overwrite(fixture, 1000, 60);
      }
      ReadView view = fixture.engine.view();
      for (int i = 0; i < 150; i++) {
        overwrite(fixture, 1000, 60);
      }
      fixture.rotate("").join();
      long entries = levels(fixture).stream().mapToLong(EngineStats.Level::entries).sum();
      assertThat(entries)
          .as("of 9000 that were written; levels above the last may hold half of it")
          .isLessThanOrEqualTo(3300);
      assertThat(fixture.engine.stats().obsoleteBytes()).isZero();
      view.close();
    }
  }
}
