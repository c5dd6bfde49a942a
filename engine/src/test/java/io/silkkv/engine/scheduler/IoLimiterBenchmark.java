package io.silkkv.engine.scheduler;

import io.silkkv.engine.io.IoClass;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;

/**
 * Requests for 128 KiB at rates that nobody reaches: what being limited costs a job that is not
 * held back. Eight thousand of them are a gigabyte.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class IoLimiterBenchmark {
  private static final long RATE = 1L << 50;
  private static final long NEVER_LOOK = Long.MAX_VALUE;

  private final IoLimiter<PriorityLedger> prioritized = prioritized();
  private final IoLimiter<RefillLedger> refilled =
      new IoLimiter<>(
          new RefillLedger(RATE, null, new SplittableRandom(1), System.nanoTime()),
          System::nanoTime,
          NEVER_LOOK);

  private static IoLimiter<PriorityLedger> prioritized() {
    PriorityLedger ledger = new PriorityLedger(true, System.nanoTime());
    ledger.setRate(RATE, System.nanoTime());
    return new IoLimiter<>(ledger, System::nanoTime, NEVER_LOOK);
  }

  /** SILK's buckets. */
  @Benchmark
  public void prioritizedAlone() {
    prioritized.acquire(IoClass.DEEP, IoRequest.MAX_BYTES, 0, null);
  }

  /** As many jobs as a node has threads for. */
  @Benchmark
  @Threads(4)
  public void prioritizedTogether() {
    prioritized.acquire(IoClass.DEEP, IoRequest.MAX_BYTES, 0, null);
  }

  /** RocksDB's refills. */
  @Benchmark
  public void refilledAlone() {
    refilled.acquire(IoClass.DEEP, IoRequest.MAX_BYTES, 0, null);
  }
}
