package io.silkkv.engine.scheduler;

/**
 * RocksDB's rule for the rate of its limiter. It follows what internal work asks for and knows
 * nothing of clients or of the device: that is what it is here to be compared for.
 */
final class AutoTune {
  /** Refills between two looks. */
  static final int PERIODS = 100;

  private static final int LOW_PERCENT = 50;
  private static final int HIGH_PERCENT = 90;
  private static final int STEP_PERCENT = 5;
  private static final int RANGE = 20;

  private final long max;

  AutoTune(long max) {
    this.max = max;
  }

  /** The rate to start with. */
  long first() {
    return max / 2;
  }

  private long min() {
    return max / RANGE;
  }

  /**
   * The rate from now on.
   *
   * @param drains refills of the last {@code periods} that somebody waited for
   */
  long next(long rate, long drains, long periods) {
    long percent = drains * 100 / periods;
    if (percent == 0) {
      return min();
    }
    if (percent < LOW_PERCENT) {
      return Math.max(min(), scale(rate, 100, 100 + STEP_PERCENT));
    }
    if (percent > HIGH_PERCENT) {
      return Math.min(max, scale(rate, 100 + STEP_PERCENT, 100));
    }
    return rate;
  }

  private static long scale(long rate, int by, int of) {
    // The division first when the product would not fit.
    return rate > Long.MAX_VALUE / by ? rate / of * by : rate * by / of;
  }
}
