package io.silkkv.ops.bench.load;

import io.silkkv.ops.bench.load.data.OpKind;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.HdrHistogram.AtomicHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The operations of one second while they come in. Writers never wait: each counts itself in and
 * out, and a closer that finds a writer inside comes again later. Thread-safe.
 */
final class SecondCell {
  /** Latencies from a tenth of a microsecond to an hour, exact to 0.1 % or 64 ns: 200 KiB each. */
  private static final long LEAST_NANOS = 100;

  private static final long MOST_NANOS = TimeUnit.HOURS.toNanos(1);
  private static final int DIGITS = 3;

  private static final int KINDS = OpKind.COUNT;

  private final AtomicReferenceArray<@Nullable AtomicHistogram> latencies =
      new AtomicReferenceArray<>(KINDS);
  private final AtomicLongArray errors = new AtomicLongArray(KINDS);
  private final AtomicLong entered = new AtomicLong();
  private final AtomicLong left = new AtomicLong();
  private volatile boolean closed;

  static Histogram newTotal() {
    return new Histogram(LEAST_NANOS, MOST_NANOS, DIGITS);
  }

  /**
   * Counts operations that took equally long.
   *
   * @return false, and nothing is counted, when the cell is closed
   */
  boolean latency(OpKind kind, long nanos, long operations) {
    if (!enter(operations)) {
      return false;
    }
    histogram(kind).recordValueWithCount(Math.max(0, Math.min(nanos, MOST_NANOS)), operations);
    left.addAndGet(operations);
    return true;
  }

  /**
   * An operation failed; its latency comes later.
   *
   * @return false, and nothing is counted, when the cell is closed
   */
  boolean error(OpKind kind) {
    if (!enter(0)) {
      return false;
    }
    errors.incrementAndGet(kind.index());
    return true;
  }

  private boolean enter(long operations) {
    entered.addAndGet(operations);
    if (closed) {
      left.addAndGet(operations);
      return false;
    }
    return true;
  }

  private AtomicHistogram histogram(OpKind kind) {
    AtomicHistogram known = latencies.get(kind.index());
    if (known != null) {
      return known;
    }
    AtomicHistogram created = new AtomicHistogram(LEAST_NANOS, MOST_NANOS, DIGITS);
    AtomicHistogram before = latencies.compareAndExchange(kind.index(), null, created);
    return before == null ? created : before;
  }

  /** How many operations are counted completely. */
  long count() {
    return left.get();
  }

  /**
   * Lets no more operations in.
   *
   * @return whether none is inside any more, so that the figures are final
   */
  boolean close() {
    closed = true;
    // In this order: who comes in between is seen.
    long out = left.get();
    return entered.get() == out;
  }

  /** Null when no operation of the kind has a latency here. */
  @Nullable Histogram latencies(OpKind kind) {
    return latencies.get(kind.index());
  }

  long errors(OpKind kind) {
    return errors.get(kind.index());
  }
}
