package io.silkkv.engine.scheduler;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.engine.io.IoClass;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The I/O scheduler as one engine sees it: where the engine announces its jobs. Thread-safe; its
 * lock is a leaf.
 */
public final class EngineIo implements AutoCloseable {
  /**
   * Until the first compaction tells: as much on the next level as on level 0, read and written.
   */
  private static final double DEFAULT_L0_AMPLIFICATION = 4;

  private final IoScheduler scheduler;
  private final Supplier<EngineLoad> load;
  private final EngineDemand demand = new EngineDemand();
  private final Object lock = new Object();

  @GuardedBy("lock")
  private @Nullable IoJob flush;

  @GuardedBy("lock")
  private double l0Amplification = DEFAULT_L0_AMPLIFICATION;

  EngineIo(IoScheduler scheduler, Supplier<EngineLoad> load) {
    this.scheduler = scheduler;
    this.load = load;
  }

  /**
   * Runs a job of the calling thread: what the thread reads and writes meanwhile counts as part of
   * it.
   *
   * @return what the body returns
   */
  public long run(IoJob.Description description, LongSupplier body) {
    IoJob job = scheduler.begin(description);
    try {
      started(job);
      return body.getAsLong();
    } finally {
      ended(job);
      scheduler.end(job);
    }
  }

  private void started(IoJob job) {
    IoJob.Description what = job.description();
    synchronized (lock) {
      if (what.why() == IoClass.FLUSH) {
        flush = job;
      } else if (what.why() == IoClass.L0 && what.inputBytes() > 0) {
        l0Amplification = Math.max(1, (double) what.totalBytes() / what.inputBytes());
      }
    }
  }

  private void ended(IoJob job) {
    synchronized (lock) {
      if (flush == job) {
        flush = null;
      }
    }
  }

  /** What the engine needs now. Called by the controller's thread only. */
  EngineDemand look(long now) {
    long flushed;
    double amplification;
    synchronized (lock) {
      flushed = flush == null ? 0 : flush.movedBytes();
      amplification = l0Amplification;
    }
    demand.look(load.get(), flushed, amplification, now);
    return demand;
  }

  /** Some jobs of the engine should stop: those that wait for the volume go on and see it. */
  public void wakeStopped() {
    scheduler.wakeStopped();
  }

  /** The engine is gone. */
  @Override
  public void close() {
    scheduler.remove(this);
  }
}
