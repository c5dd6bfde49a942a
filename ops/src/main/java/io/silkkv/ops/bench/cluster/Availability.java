package io.silkkv.ops.bench.cluster;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.LongSupplier;

/**
 * Counts successes in steps of ten milliseconds and says for how long there were none. Thread-safe.
 */
final class Availability {
  static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long SILENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int RATE_STEPS = 50;
  private static final double RATE_BACK = 0.8;

  private final LongSupplier nanoClock;
  private final long startNanos;
  private final AtomicIntegerArray successes;

  /**
   * Starts now.
   *
   * @param seconds how long it counts; what comes later is left out
   */
  Availability(LongSupplier nanoClock, double seconds) {
    this.nanoClock = nanoClock;
    this.startNanos = nanoClock.getAsLong();
    this.successes =
        new AtomicIntegerArray((int) Math.ceil(seconds * TimeUnit.SECONDS.toNanos(1) / STEP_NANOS));
  }

  /** An operation has just succeeded. */
  void success() {
    int step = step(nanoClock.getAsLong());
    if (step < successes.length()) {
      successes.getAndIncrement(step);
    }
  }

  private int step(long nanos) {
    return (int) Math.min(Integer.MAX_VALUE, (nanos - startNanos) / STEP_NANOS);
  }

  /** What a fault at a time of the clock did. */
  FaultFigures around(int member, long faultNanos) {
    int fault = Math.min(step(faultNanos), successes.length());
    int longest = 0;
    int longestEnd = fault;
    int empty = 0;
    for (int step = fault; step < successes.length(); step++) {
      empty = successes.get(step) == 0 ? empty + 1 : 0;
      if (empty > longest) {
        longest = empty;
        longestEnd = step + 1;
      }
    }
    // Shorter silence is what any pause of the machine looks like.
    int from = longest * STEP_NANOS >= SILENCE_NANOS ? longestEnd : fault;
    return new FaultFigures(member, millis(longest), rateBack(fault, from));
  }

  /** From the fault; looks from another step on. */
  private double rateBack(int fault, int from) {
    // The start of a round is left out: the calls in flight have yet to get going.
    int settled = fault / 5;
    double wanted =
        RATE_BACK * RATE_STEPS * sum(settled, fault) / Math.max(1.0, (double) fault - settled);
    for (int step = from; step + RATE_STEPS <= successes.length(); step++) {
      if (sum(step, step + RATE_STEPS) >= wanted) {
        return millis(step - fault);
      }
    }
    return Double.NaN;
  }

  private long sum(int from, int to) {
    long sum = 0;
    for (int step = from; step < to; step++) {
      sum += successes.get(step);
    }
    return sum;
  }

  private static double millis(int steps) {
    return (double) TimeUnit.NANOSECONDS.toMillis(steps * STEP_NANOS);
  }
}
