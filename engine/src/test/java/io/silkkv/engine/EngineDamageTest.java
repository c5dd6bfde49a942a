package io.silkkv.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.api.EngineStats;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.engine.scheduler.BackgroundJobs;
import io.silkkv.engine.scheduler.Lane;
import io.silkkv.engine.testkit.FaultInjectingFileSystem;
import io.silkkv.engine.testkit.FaultInjectingFileSystem.Operation;
import io.silkkv.engine.testkit.MemFileSystem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A table with a damaged block: what depends on it fails by name, all else works. */
class EngineDamageTest {
  private static final EngineOptions OPTIONS =
      EngineFixture.TINY.toBuilder().scrubPeriodSeconds(1000).build();

  private final MemFileSystem disk = new MemFileSystem();
  private final FaultInjectingFileSystem files = new FaultInjectingFileSystem(disk);

  private EngineFixture open(BackgroundJobs jobs) {
    return new EngineFixture(files, OPTIONS, jobs, 1);
  }

  private List<Path> tables() throws IOException {
    return disk.list(EngineFixture.DIRECTORY).stream()
        .filter(name -> name.endsWith(".sst"))
        .map(EngineFixture.DIRECTORY::resolve)
        .toList();
  }

  /** Two tables of level 0; the first one holds "a" and is damaged. */
  private Path damagedLevelZero(EngineFixture fixture) throws IOException {
    fixture.put("a", "1");
    fixture.rotate("");
    fixture.put("a", "2");
    fixture.rotate("");
    fixture.jobs.runOne(Lane.FLUSH);
    fixture.jobs.runOne(Lane.FLUSH);
    Path table = tables().get(0);
    disk.corrupt(table, 3, 0x40);
    return table;
  }

  @Test
  void damagedInputOfACompactionIsSetAsideAndTheEngineGoesOn() throws IOException {
    try (EngineFixture fixture = open(BackgroundJobs.manual())) {
      Path table = damagedLevelZero(fixture);
      fixture.jobs.runAll();
      assertThat(fixture.told.failures).isEmpty();
      assertThat(fixture.told.damages).hasSize(1);
      assertThat(fixture.told.damages.get(0))
          .hasMessageContaining(table.toString())
          .hasMessageContaining("restore this replica");
      assertThat(fixture.engine.stats().damagedTables()).isEqualTo(1);
      fixture.put("b", "1");
      fixture.rotate("");
      fixture.jobs.runAll();
      assertThat(fixture.get("b")).isEqualTo("1");
      assertThat(fixture.get("a")).as("the newer table has it").isEqualTo("2");
      assertThat(fixture.told.damages).as("told once").hasSize(1);
      assertThat(tables()).contains(table);
    }
  }

  @Test
  void everyStartAfterTheDamageServesTheRest() throws IOException {
    try (EngineFixture fixture = open(BackgroundJobs.manual())) {
      damagedLevelZero(fixture);
    }
    for (int start = 0; start < 3; start++) {
      try (EngineFixture fixture = open(BackgroundJobs.inline())) {
        assertThat(fixture.told.failures).isEmpty();
        assertThat(fixture.told.damages).hasSize(1);
        fixture.put("z" + start, "1");
        fixture.rotate("").join();
        assertThat(fixture.get("z" + start)).isEqualTo("1");
        assertThat(fixture.engine.acceptsWrites()).isTrue();
      }
    }
  }

  @Test
  void otherRangesAreStillCompactedWithoutWorkThatIsRepeated() throws IOException {
    try (EngineFixture fixture = open(BackgroundJobs.manual())) {
      for (int i = 0; i < 30; i++) {
        WriteBatch batch = new WriteBatch();
        for (int key = 0; key < 100; key++) {
          batch.put(Slice.utf8(String.format("key%05d", key)), Slice.wrap(new byte[50]));
        }
        fixture.write(batch);
        fixture.rotate("");
        fixture.jobs.runAll();
      }
      EngineStats.Level last = fixture.engine.stats().levels().get(6);
      assertThat(last.files()).isGreaterThan(3);
      Path damaged = tables().get(0);
      disk.corrupt(damaged, 3, 0x40);
      // Keys behind all others meet no damaged table.
      for (int i = 0; i < 20; i++) {
        fixture.put("other" + i % 3, "x".repeat(100));
        fixture.rotate("");
        fixture.jobs.runAll();
      }
      assertThat(fixture.told.failures).isEmpty();
      assertThat(fixture.engine.stats().levels().get(0).files())
          .isLessThan(OPTIONS.l0CompactionTrigger());
      assertThat(fixture.get("other1")).isEqualTo("x".repeat(100));
    }
  }

  @Test
  void scrubFindsDamageThatNobodyHasRead() throws IOException {
    try (EngineFixture fixture = open(BackgroundJobs.manual())) {
      for (String key : List.of("a", "b", "c")) {
        fixture.put(key, "x".repeat(3000));
        fixture.rotate("");
        fixture.jobs.runAll();
      }
      List<Path> tables = tables();
      disk.corrupt(tables.get(tables.size() - 1), 3, 0x40);
      for (int second = 0; second < 1100; second++) {
        fixture.nanoTime.addAndGet(TimeUnit.SECONDS.toNanos(1));
        fixture.resources.heartbeat().beat();
        fixture.jobs.runOne(Lane.SCRUB);
      }
      fixture.jobs.runAll();
      EngineStats stats = fixture.engine.stats();
      assertThat(stats.damagedTables()).isEqualTo(1);
      assertThat(fixture.told.damages).hasSize(1);
      long all = stats.levels().stream().mapToLong(EngineStats.Level::bytes).sum();
      assertThat(stats.scrubbedBytes())
          .as("one round in its period, spread evenly")
          .isBetween(all, 2 * all);
      assertThatThrownBy(() -> fixture.get("c")).isInstanceOf(CorruptionException.class);
      assertThat(fixture.get("a")).hasSize(3000);
    }
  }

  @Test
  void scrubThatCannotReadChangesNothing() {
    try (EngineFixture fixture = open(BackgroundJobs.manual())) {
      fixture.put("a", "1");
      fixture.rotate("");
      fixture.jobs.runAll();
      fixture.nanoTime.addAndGet(TimeUnit.SECONDS.toNanos(500));
      fixture.resources.heartbeat().beat();
      files.failWhen(call -> call.operation() == Operation.READ);
      assertThat(fixture.jobs.runOne(Lane.SCRUB)).isTrue();
      files.heal();
      assertThat(fixture.engine.stats().damagedTables()).isZero();
      assertThat(fixture.told.failures).isEmpty();
    }
  }
}
