package io.silkkv.ops.bench.load;

import io.silkkv.ops.bench.load.data.OperationSource;
import io.silkkv.ops.bench.load.data.Oracle;
import io.silkkv.ops.bench.load.figures.LoadResult;
import java.util.function.LongSupplier;

/**
 * Keeps a fixed number of operations under way: whoever has an answer asks again. It finds the
 * maximum rate, and it fills. It slows down with the system, so that its latencies say little about
 * stalls: they count from the moment of sending.
 */
public final class ClosedLoop {
  private final LongSupplier nanoClock;
  private final LoadLimits limits;

  public ClosedLoop(LongSupplier nanoClock, LoadLimits limits) {
    this.nanoClock = nanoClock;
    this.limits = limits;
  }

  /**
   * Runs until one of the bounds is reached, and waits for the answers.
   *
   * @param seconds bound on time; infinity for none
   * @param operations bound on the count; Long.MAX_VALUE for none
   */
  public LoadResult run(
      double seconds,
      long operations,
      OperationSource source,
      Driver driver,
      Oracle oracle,
      Progress.Listener listener)
      throws InterruptedException {
    throw new UnsupportedOperationException(
        "not yet: "
            + nanoClock
            + limits
            + seconds
            + operations
            + source
            + driver
            + oracle
            + listener);
  }
}
