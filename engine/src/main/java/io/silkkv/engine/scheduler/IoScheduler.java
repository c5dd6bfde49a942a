package io.silkkv.engine.scheduler;

import io.silkkv.engine.api.IoFigures;
import io.silkkv.engine.api.SilkOptions;
import io.silkkv.engine.io.FileSystem;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.IoCounters;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Shares one volume between all engines of a node and their clients. It stands between the engines
 * and their {@link #files}: internal work asks it for tokens before it moves bytes, everything else
 * passes at once. Thread-safe.
 */
public final class IoScheduler implements AutoCloseable {
  /** The job of a thread, so that the file layer knows what the bytes are for. */
  private static final ThreadLocal<@Nullable IoJob> JOB = new ThreadLocal<>();

  /** How often a thread that waits looks whether its job should stop. */
  private static final long LOOK_NANOS = 100_000_000;

  private final String policy;
  private final FileSystem files;
  private final LongSupplier nanoTime;

  /** Null: no limit. */
  private final @Nullable IoLimiter<?> limiter;

  /** Null: rates do not follow the load. */
  private final @Nullable SilkControl control;

  private IoScheduler(
      String policy,
      FileSystem files,
      LongSupplier nanoTime,
      @Nullable IoLimiter<?> limiter,
      @Nullable SilkControl control) {
    this.policy = policy;
    this.nanoTime = nanoTime;
    this.limiter = limiter;
    this.control = control;
    this.files =
        limiter == null ? files : new ScheduledFileSystem(files, this, limiter.limitsReads());
  }

  /**
   * Lets everything pass.
   *
   * @param policy its name in figures
   */
  public static IoScheduler unlimited(String policy, FileSystem files) {
    return new IoScheduler(policy, files, () -> 0, null, null);
  }

  /** A limiter whose rates nobody changes. */
  static IoScheduler of(
      String policy, FileSystem files, IoLimiter<?> limiter, LongSupplier nanoTime) {
    return new IoScheduler(policy, files, nanoTime, limiter, null);
  }

  /** RocksDB's limiter with a constant rate in bytes per second. */
  public static IoScheduler fixed(
      String policy, long rate, FileSystem files, LongSupplier nanoTime, RandomGenerator random) {
    RefillLedger ledger = new RefillLedger(rate, null, random, nanoTime.getAsLong());
    return of(policy, files, new IoLimiter<>(ledger, nanoTime, LOOK_NANOS), nanoTime);
  }

  /** RocksDB's limiter with a rate that tunes itself, up to {@code max} bytes per second. */
  public static IoScheduler autoTuned(
      String policy, long max, FileSystem files, LongSupplier nanoTime, RandomGenerator random) {
    AutoTune tune = new AutoTune(max);
    RefillLedger ledger = new RefillLedger(tune.first(), tune, random, nanoTime.getAsLong());
    return of(policy, files, new IoLimiter<>(ledger, nanoTime, LOOK_NANOS), nanoTime);
  }

  /**
   * SILK; starts its controller's thread.
   *
   * @param counters what the files of the volume and replication count
   * @param processors of the machine or container
   */
  public static IoScheduler silk(
      String policy,
      SilkOptions options,
      FileSystem files,
      IoCounters counters,
      CpuClock cpu,
      int processors,
      LongSupplier nanoTime) {
    PriorityLedger ledger =
        new PriorityLedger(
            options.parts() != SilkOptions.Parts.BANDWIDTH_ONLY, nanoTime.getAsLong());
    IoLimiter<PriorityLedger> limiter = new IoLimiter<>(ledger, nanoTime, LOOK_NANOS);
    SilkControl control = new SilkControl(options, counters, cpu, processors, limiter, nanoTime);
    control.start();
    return new IoScheduler(policy, files, nanoTime, limiter, control);
  }

  /** The files of the volume, where internal work waits for its turn. */
  public FileSystem files() {
    return files;
  }

  /**
   * Adds an engine.
   *
   * @param load how full it is now; asked often and by one thread, must not wait
   */
  public EngineIo add(Supplier<EngineLoad> load) {
    EngineIo engine = new EngineIo(this, load);
    if (control != null) {
      control.add(engine);
    }
    return engine;
  }

  /**
   * Tells where bytes are counted that do not pass the files of this volume.
   *
   * @param logged total written to logs on this volume
   * @param replicated total sent to followers
   */
  public void countTraffic(LongSupplier logged, LongSupplier replicated) {
    if (control != null) {
      control.countTraffic(logged, replicated);
    }
  }

  void remove(EngineIo engine) {
    if (control != null) {
      control.remove(engine);
    }
  }

  /** The calling thread works on a job from now on. */
  IoJob begin(IoJob.Description description) {
    long cpuNow = control == null ? 0 : control.threadCpu();
    IoJob job = new IoJob(description, nanoTime.getAsLong(), cpuNow, JOB.get());
    JOB.set(job);
    return job;
  }

  /** The calling thread's job has ended; it is back at the one that it worked on before. */
  void end(IoJob job) {
    IoJob outer = job.outer();
    if (outer == null) {
      JOB.remove();
    } else {
      JOB.set(outer);
    }
  }

  /** Waits until so many bytes may move; any number, but files ask for one request at a time. */
  void acquire(IoClass why, int bytes) {
    if (limiter == null || !why.isThrottled() || bytes <= 0) {
      return;
    }
    IoJob job = JOB.get();
    long cpuNanos = job == null || control == null ? 0 : control.cpuOf(job, why);
    for (int left = bytes; left > 0; left -= IoRequest.MAX_BYTES) {
      limiter.acquire(why, Math.min(left, IoRequest.MAX_BYTES), cpuNanos, job);
      cpuNanos = 0;
    }
    if (job != null) {
      job.moved(bytes);
    }
  }

  void wakeStopped() {
    if (limiter != null) {
      limiter.wakeStopped();
    }
  }

  /** What it does now. */
  public IoFigures figures() {
    if (limiter == null) {
      return new IoFigures(policy, 0, 0, 0, 0, 0, 0, false, 0, 0, List.of());
    }
    if (control == null) {
      return new IoFigures(
          policy, 0, 0, 0, limiter.ratePerSecond(), 0, 0, false, 0, 0, limiter.figures());
    }
    return control.figures(policy);
  }

  /** Ends all waits and the thread. Idempotent. */
  @Override
  public void close() {
    if (control != null) {
      control.close();
    }
    if (limiter != null) {
      limiter.close();
    }
  }
}
