package io.silkkv.ops.bench.load;

import io.silkkv.ops.bench.load.data.OperationSource;
import io.silkkv.ops.bench.load.data.Oracle;
import io.silkkv.ops.bench.load.figures.LoadResult;
import java.util.function.LongSupplier;

/**
 * Sends operations when a schedule says, whatever the system does. Latency counts from the intended
 * time: when all threads (or slots) are busy, an operation is sent late, and its latency includes
 * the wait.
 */
public final class OpenLoop {
  private final LongSupplier nanoClock;
  private final Pacer pacer;
  private final LoadLimits limits;

  public OpenLoop(LongSupplier nanoClock, Pacer pacer, LoadLimits limits) {
    this.nanoClock = nanoClock;
    this.pacer = pacer;
    this.limits = limits;
  }

  /**
   * Runs the schedule once. Returns when everything is answered, or when the overrun of the limits
   * is over.
   */
  public LoadResult run(
      Schedule schedule,
      OperationSource source,
      Driver driver,
      Oracle oracle,
      Progress.Listener listener)
      throws InterruptedException {
    throw new UnsupportedOperationException(
        "not yet: " + nanoClock + pacer + limits + schedule + source + driver + oracle + listener);
  }
}
