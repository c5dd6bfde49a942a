package io.silkkv.ops.bench.load;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** Parks, and spins the last microseconds. Thread-safe. */
public final class ParkingPacer implements Pacer {
  private final LongSupplier nanoClock;

  public ParkingPacer(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  @Override
  public void awaitTime(long nanos) throws InterruptedException {
    for (long left = nanos - nanoClock.getAsLong();
        left > 0;
        left = nanos - nanoClock.getAsLong()) {
      if (left > 60_000) {
        LockSupport.parkNanos(left - 60_000);
      } else {
        Thread.onSpinWait();
      }
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }
}
