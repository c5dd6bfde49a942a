package io.silkkv.engine.scheduler;

/**
 * An amount that grows evenly with time up to a capacity: bytes that may move, or processor time
 * that may be used. Time comes with each call; time that goes back counts as none. Not thread-safe.
 */
final class TokenBucket {
  private final double burstNanos;
  private final double leastCapacity;

  private double perNano;
  private double capacity;
  private double level;
  private long filledAt;

  /**
   * An empty bucket that is not refilled.
   *
   * @param burstNanos how long an idle bucket gathers
   * @param leastCapacity what it may gather at least, however slow it is
   */
  TokenBucket(double burstNanos, double leastCapacity, long now) {
    this.burstNanos = burstNanos;
    this.leastCapacity = leastCapacity;
    this.capacity = leastCapacity;
    this.filledAt = now;
  }

  /**
   * Changes the rate from now on; what was gathered so far stays.
   *
   * @param perSecond tokens per second, 0 or more
   */
  void setRate(double perSecond, long now) {
    advance(now);
    perNano = perSecond / 1e9;
    capacity = Math.max(leastCapacity, perNano * burstNanos);
    level = Math.min(level, capacity);
  }

  double ratePerSecond() {
    return perNano * 1e9;
  }

  void advance(long now) {
    long elapsed = now - filledAt;
    if (elapsed > 0) {
      level = Math.min(capacity, level + perNano * elapsed);
      filledAt = now;
    }
  }

  double level() {
    return level;
  }

  /** Takes tokens; the level may go below zero, which later refills pay for. */
  void take(double tokens) {
    level -= tokens;
  }

  /**
   * Takes tokens for somebody who was let through on another account; owes no more than it can
   * hold, so that this cannot shut out others for long.
   */
  void takeOnCredit(double tokens) {
    level = Math.max(level - tokens, Math.min(level, -capacity));
  }

  /** Takes tokens of what there is, and at most all. */
  void takeUpTo(double tokens) {
    level = Math.max(Math.min(level, 0), level - tokens);
  }

  /** Time after which the level will be {@code wanted}; {@link Long#MAX_VALUE} for never. */
  long nanosUntil(double wanted) {
    double missing = Math.min(wanted, capacity) - level;
    if (missing <= 0) {
      return 0;
    }
    double nanos = Math.ceil(missing / perNano);
    return nanos < Long.MAX_VALUE ? (long) nanos : Long.MAX_VALUE;
  }
}
