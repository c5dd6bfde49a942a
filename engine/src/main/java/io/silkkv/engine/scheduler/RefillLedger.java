package io.silkkv.engine.scheduler;

import io.silkkv.engine.io.IoClass;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The limiter that RocksDB has, as a baseline, with its weak points: a quantum of bytes every 100
 * ms, so that all who wait start at once; two queues, flushes and the rest, where the rest goes
 * first in one of {@value #FAIRNESS} refills; writes only. What is left of a quantum is lost at the
 * next. A request may be granted in parts.
 */
final class RefillLedger implements TokenLedger {
  static final long PERIOD_NANOS = 100_000_000;
  static final int FAIRNESS = 10;

  private final RandomGenerator random;
  private final @Nullable AutoTune autoTune;
  private final Deque<IoRequest> high = new ArrayDeque<>();
  private final Deque<IoRequest> low = new ArrayDeque<>();

  private long bytesPerSecond;
  private long available;
  private long nextRefill;

  /** Refills for which somebody waited, since the last tuning. */
  private long drains;

  private long tunedAt;

  /**
   * @param bytesPerSecond the rate, or where auto-tuning starts
   * @param autoTune null for a constant rate
   * @param random decides who goes first
   */
  RefillLedger(long bytesPerSecond, @Nullable AutoTune autoTune, RandomGenerator random, long now) {
    this.bytesPerSecond = bytesPerSecond;
    this.autoTune = autoTune;
    this.random = random;
    this.available = quantum();
    this.nextRefill = now + PERIOD_NANOS;
    this.tunedAt = now;
  }

  private long quantum() {
    return Math.max(1, (long) (bytesPerSecond * (PERIOD_NANOS / 1e9)));
  }

  private Deque<IoRequest> queue(IoClass why) {
    return why == IoClass.FLUSH ? high : low;
  }

  @Override
  public long ratePerSecond() {
    return bytesPerSecond;
  }

  @Override
  public boolean limitsReads() {
    return false;
  }

  @Override
  public void add(IoRequest request, long now) {
    tune(now);
    queue(request.why()).add(request);
  }

  private void tune(long now) {
    if (autoTune != null && now - tunedAt >= AutoTune.PERIODS * PERIOD_NANOS) {
      long periods = (now - tunedAt + PERIOD_NANOS - 1) / PERIOD_NANOS;
      bytesPerSecond = autoTune.next(bytesPerSecond, drains, periods);
      drains = 0;
      tunedAt = now;
    }
  }

  @Override
  public void remove(IoRequest request) {
    queue(request.why()).remove(request);
  }

  @Override
  public void advance(long now) {
    if (now - nextRefill >= 0) {
      if (!high.isEmpty() || !low.isEmpty()) {
        drains++;
      }
      available = quantum();
      nextRefill = now + PERIOD_NANOS;
      boolean lowFirst = random.nextInt(FAIRNESS) == 0;
      grant(lowFirst ? low : high);
    }
    grant(high);
    grant(low);
  }

  private void grant(Deque<IoRequest> queue) {
    while (available > 0 && !queue.isEmpty()) {
      IoRequest first = queue.element();
      int bytes = (int) Math.min(available, first.ungranted());
      available -= bytes;
      first.grant(bytes);
      if (first.granted()) {
        queue.remove();
      }
    }
  }

  @Override
  public long nanosUntilDue(IoRequest request, long now) {
    return Math.max(0, nextRefill - now);
  }

  @Override
  public void recheckAll() {
    high.forEach(IoRequest::recheck);
    low.forEach(IoRequest::recheck);
  }

  @Override
  public int waiting(IoClass why) {
    return (int) queue(why).stream().filter(request -> request.why() == why).count();
  }
}
