package io.silkkv.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.StorageEngine;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.engine.cache.BlockCache;
import io.silkkv.engine.memtable.SlabPool;
import io.silkkv.engine.scheduler.BackgroundJobs;
import io.silkkv.engine.scheduler.IoScheduler;
import io.silkkv.engine.scheduler.Lane;
import io.silkkv.engine.testkit.MemFileSystem;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What engines do when memtable memory, of one or of all of them, becomes scarce. */
@Timeout(60)
class EngineMemoryTest {
  private static final int SLAB = 4096;

  private final SlabPool slabs = new SlabPool(10 * SLAB, SLAB);
  private final BackgroundJobs jobs = BackgroundJobs.manual();
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 2);
  private final EngineResources resources =
      new EngineResources(
          IoScheduler.unlimited("none", new MemFileSystem()),
          slabs,
          new BlockCache(1 << 20),
          jobs,
          now::getAndIncrement,
          InstantSource.system(),
          1);

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

    void writeValue(int bytes) {
      LogPosition last = engine.applied();
      engine.write(
          new WriteBatch().put(Slice.utf8("k"), Slice.wrap(new byte[bytes])),
          new LogPosition(1, last.index() + 1, last.sequence() + 1));
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
  void smallEnginesAreAskedOnlyUntilTheSlabsTheyHoldAreEnough() {
    List<Owner> owners = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Owner owner = new Owner("small" + i, EngineOptions.DEFAULTS);
      owner.writeValue(100);
      owners.add(owner);
    }
    jobs.runAll();
    assertThat(slabs.usedBytes()).as("two slabs each").isEqualTo(10 * SLAB);
    assertThat(owners).extracting(owner -> owner.told.flushesWanted).containsExactly(1, 1, 0, 0, 0);
    owners.forEach(Owner::close);
  }

  @Test
  void writeThatNeedsMoreThanAllMemoryFailsInsteadOfWaitingForEver() {
    try (Owner owner = new Owner("owner", EngineOptions.DEFAULTS)) {
      assertThatThrownBy(() -> owner.writeValue(30 * SLAB))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("raise the memtable budget");
      jobs.runAll();
      assertThat(owner.told.failures).hasSize(1);
      assertThat(owner.engine.applied()).isEqualTo(LogPosition.NONE);
    }
    assertThat(slabs.usedBytes()).isZero();
  }

  @Test
  void writeThatHasToWaitMakesAllOthersFlush() {
    try (Owner busy = new Owner("busy", EngineOptions.DEFAULTS);
        Owner quiet = new Owner("quiet", EngineOptions.DEFAULTS)) {
      quiet.writeValue(4 * SLAB);
      CompletableFuture<Void> write = CompletableFuture.runAsync(() -> busy.writeValue(15 * SLAB));
      while (slabs.waits() == 0) {
        Thread.onSpinWait();
      }
      assertThat(write).isNotDone();
      jobs.runAll();
      assertThat(quiet.told.flushesWanted).isEqualTo(1);
      quiet.rotate();
      jobs.runAll();
      write.join();
      assertThat(busy.engine.applied().index()).isEqualTo(0);
    }
  }

  @Test
  void budgetThatALargeWriteCouldExhaustIsRefused() {
    assertThatThrownBy(
            () ->
                EngineResources.create(
                    new MemFileSystem(), 7 << 20, 1 << 20, now::getAndIncrement, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(String.valueOf(7 << 20))
        .hasMessageContaining(String.valueOf(8 << 20));
  }

  @Test
  void memoryOfOpenTablesIsCountedUntilTheyAreClosed() {
    try (Owner owner = new Owner("owner", EngineOptions.DEFAULTS)) {
      assertThat(resources.usage().tableMemoryBytes()).isZero();
      owner.writeSlab();
      owner.rotate();
      jobs.runAll();
      assertThat(resources.usage().tableMemoryBytes()).isBetween(500L, 1500L);
    }
    assertThat(resources.usage().tableMemoryBytes()).isZero();
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
