package io.silkkv.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.StorageEngine;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.engine.cache.BlockCache;
import io.silkkv.engine.memtable.SlabPool;
import io.silkkv.engine.scheduler.BackgroundJobs;
import io.silkkv.engine.scheduler.Lane;
import io.silkkv.engine.testkit.MemFileSystem;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What engines do when memtable memory, of one or of all of them, becomes scarce. */
class EngineMemoryTest {
  private static final int SLAB = 4096;

  private final SlabPool slabs = new SlabPool(10 * SLAB, SLAB);
  private final BackgroundJobs jobs = BackgroundJobs.manual();
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 2);
  private final EngineResources resources =
      new EngineResources(
          new MemFileSystem(), slabs, new BlockCache(1 << 20), jobs, now::getAndIncrement, 1);

  @AfterEach
  void close() {
    resources.close();
  }

  private final class Owner implements AutoCloseable {
    final EngineFixture.Told told = new EngineFixture.Told();
    final StorageEngine engine;

    Owner(String name, EngineOptions options) {
      engine = LsmEngine.open(Path.of("/data/" + name), options, resources, told);
    }

    /** Writes about one slab. */
    void writeSlab() {
      LogPosition last = engine.applied();
      WriteBatch batch = new WriteBatch();
      for (int i = 0; i < 3; i++) {
        batch.put(Slice.utf8(last.index() + "/" + i), Slice.wrap(new byte[1000]));
      }
      engine.write(batch, new LogPosition(1, last.index() + 1, last.sequence() + batch.count()));
    }

    @CanIgnoreReturnValue
    CompletableFuture<LogPosition> rotate() {
      return engine.rotate(new byte[0]);
    }

    @Override
    public void close() {
      engine.close();
    }
  }

  @Test
  void engineWithTheOldestWriteIsAskedFirstHoweverSmall() {
    EngineOptions options = EngineOptions.DEFAULTS;
    try (Owner old = new Owner("old", options);
        Owner busy = new Owner("busy", options);
        Owner idle = new Owner("idle", options)) {
      old.writeSlab();
      while (slabs.usedBytes() < 8 * SLAB) {
        assertThat(old.told.flushesWanted + busy.told.flushesWanted).isZero();
        busy.writeSlab();
        jobs.runAll();
      }
      assertThat(old.told.flushesWanted).isEqualTo(1);
      assertThat(old.engine.wantsRotation()).isTrue();
      assertThat(idle.told.flushesWanted).isZero();

      old.rotate();
      assertThat(old.engine.wantsRotation()).isFalse();
      jobs.runAll();
      assertThat(old.engine.flushed()).isEqualTo(old.engine.applied());
      assertThat(old.told.flushesWanted).isEqualTo(1);
    }
  }

  @Test
  void newWritesAreRefusedWhileAllMemoryIsUsed() {
    try (Owner one = new Owner("one", EngineOptions.DEFAULTS);
        Owner other = new Owner("other", EngineOptions.DEFAULTS)) {
      while (!slabs.overBudget()) {
        assertThat(other.engine.acceptsWrites() || slabs.usedBytes() == slabs.budgetBytes())
            .isTrue();
        one.writeSlab();
      }
      assertThat(one.engine.acceptsWrites()).isFalse();
      assertThat(other.engine.acceptsWrites()).as("the memory is shared").isFalse();
      assertThat(one.engine.wantsRotation()).isTrue();
      one.writeSlab();
      one.rotate();
      jobs.runAll();
      assertThat(one.engine.acceptsWrites()).isTrue();
      assertThat(other.engine.acceptsWrites()).isTrue();
    }
  }

  @Test
  void fullMemtableWantsRotationUntilTooManyWait() {
    EngineOptions options =
        EngineOptions.DEFAULTS.toBuilder().memtableBytes(2048).maxWaitingMemtables(2).build();
    try (Owner owner = new Owner("owner", options)) {
      for (int waiting = 0; waiting < 2; waiting++) {
        assertThat(owner.engine.acceptsWrites()).isTrue();
        owner.writeSlab();
        assertThat(owner.engine.wantsRotation()).isTrue();
        owner.rotate();
      }
      owner.writeSlab();
      assertThat(owner.engine.stats().waitingMemtables()).isEqualTo(2);
      assertThat(owner.engine.acceptsWrites()).isFalse();
      assertThat(owner.engine.wantsRotation()).isFalse();
      jobs.runAll();
      assertThat(owner.engine.acceptsWrites()).isTrue();
      assertThat(owner.engine.wantsRotation()).isTrue();
    }
  }

  @Test
  void newWritesAreRefusedWhileTooManyTablesWaitOnLevelZero() {
    EngineOptions options =
        EngineOptions.DEFAULTS.toBuilder().l0CompactionTrigger(2).l0StopWrites(3).build();
    try (Owner owner = new Owner("owner", options)) {
      for (int i = 0; i < 3; i++) {
        assertThat(owner.engine.acceptsWrites()).isTrue();
        owner.writeSlab();
        owner.rotate();
        jobs.runOne(Lane.FLUSH);
      }
      assertThat(owner.engine.acceptsWrites()).isFalse();
      owner.writeSlab();
      jobs.runAll();
      assertThat(owner.engine.acceptsWrites()).isTrue();
    }
  }
}
