package io.silkkv.engine.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.EngineOptions;
import io.silkkv.engine.EngineResources;
import io.silkkv.engine.LsmEngine;
import io.silkkv.engine.api.EngineException;
import io.silkkv.engine.api.EngineListener;
import io.silkkv.engine.api.IoFigures;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.StorageEngine;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.engine.cache.BlockCache;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.memtable.SlabPool;
import io.silkkv.engine.testkit.MemFileSystem;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real engine with its threads; a look at the clock lets a millisecond pass. */
@Timeout(120)
class PreemptionTest {
  private static final EngineOptions TINY =
      EngineOptions.DEFAULTS.toBuilder()
          .memtableBytes(16 << 10)
          .blockBytes(256)
          .targetFileBytes(2 << 10)
          .l0CompactionTrigger(2)
          .l0StopWrites(8)
          .levelBaseBytes(4 << 10)
          .levelMultiplier(3)
          .build();

  private final AtomicLong time = new AtomicLong();
  private final PriorityLedger ledger = new PriorityLedger(true, 0);
  private final IoLimiter<PriorityLedger> limiter =
      new IoLimiter<>(ledger, () -> time.addAndGet(1_000_000), 10_000_000);
  private EngineResources resources;
  private StorageEngine engine;
  private int written;

  @BeforeEach
  void open() {
    limiter.update((tokens, now) -> tokens.setRate(1L << 40, now));
    resources =
        new EngineResources(
            IoScheduler.of("test", new MemFileSystem(), limiter, time::get),
            new SlabPool(8 << 20, 16 << 10),
            new BlockCache(1 << 20),
            BackgroundJobs.forProcessors(2),
            System::nanoTime,
            InstantSource.system(),
            1);
    engine =
        LsmEngine.open(
            Path.of("/data/engine"),
            TINY,
            resources,
            new EngineListener() {
              @Override
              public void flushWanted() {}

              @Override
              public void flushed(LogPosition position) {}

              @Override
              public void failed(EngineException cause) {}
            });
  }

  @AfterEach
  void close() {
    engine.close();
    resources.close();
  }

  private static Slice key(int number) {
    return Slice.utf8("key" + Integer.reverse(number));
  }

  /** One flushed table of keys all over the place. */
  private void writeTable() {
    for (int i = 0; i < 100; i++) {
      written++;
      LogPosition last = engine.applied();
      engine.write(
          new WriteBatch().put(key(written), Slice.utf8("value" + written)),
          new LogPosition(1, last.index() + 1, last.sequence() + 1));
    }
    engine.rotate(new byte[0]).join();
  }

  private IoFigures.Requests deep() {
    return limiter.figures().stream()
        .filter(requests -> requests.why() == IoClass.DEEP)
        .findFirst()
        .orElseThrow();
  }

  private void pauseDeep(boolean paused) {
    limiter.update((tokens, now) -> tokens.setPaused(IoClass.DEEP, paused));
  }

  private void writeUntilADeepJobWaits() {
    while (deep().waiting() == 0) {
      writeTable();
      while (!engine.acceptsWrites()) {
        // Level 0 shrinks although the deep job holds still.
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void aPausedDeepJobHoldsUpNeitherFlushesNorLevelZeroAndGoesOnAfterwards() {
    pauseDeep(true);
    writeUntilADeepJobWaits();
    for (int i = 0; i < 20; i++) {
      writeTable();
      while (!engine.acceptsWrites()) {
        Thread.onSpinWait();
      }
    }
    assertThat(deep().bytes()).as("bytes granted in the pause").isZero();
    pauseDeep(false);
    // The count follows the grant: a job that waits no more may not be in it yet.
    while (deep().waiting() > 0 || deep().bytes() == 0) {
      Thread.onSpinWait();
    }
    for (int i = 1; i <= written; i++) {
      assertThat(engine.get(key(i))).as("key %d", i).isNotNull();
      assertThat(engine.get(key(i)).value().toUtf8()).isEqualTo("value" + i);
    }
  }

  @Test
  void anEngineWithAPausedJobCanBeClosed() {
    pauseDeep(true);
    writeUntilADeepJobWaits();
    engine.close();
    assertThat(deep().waiting()).isZero();
  }
}
