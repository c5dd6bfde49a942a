package io.silkkv.ops.bench.load;

import io.silkkv.ops.bench.load.data.OpKind;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Sums the times in which operations of a kind were due and none of this kind was answered. A time
 * below 100 ms is not called a stall. An answer ends the time that began with the answer before it,
 * or when the operation was due, whichever is later; failed operations wait on. Thread-safe.
 */
final class Stalls {
  private static final long SHORTEST_NANOS = 100_000_000;

  private static final int KINDS = OpKind.COUNT;

  private final AtomicLongArray lastAnswer = new AtomicLongArray(KINDS);

  /** When the first operation was due that failed since the last answer. */
  private final AtomicLongArray firstFailure = new AtomicLongArray(KINDS);

  private final Counts stalled = new Counts();

  Stalls() {
    for (int kind = 0; kind < KINDS; kind++) {
      firstFailure.set(kind, Long.MAX_VALUE);
    }
  }

  void answered(OpKind kind, long due, long end) {
    int index = kind.index();
    long waitedSince = due;
    if (firstFailure.get(index) != Long.MAX_VALUE) {
      waitedSince = Math.min(due, firstFailure.getAndSet(index, Long.MAX_VALUE));
    }
    long before = lastAnswer.getAndAccumulate(index, end, Math::max);
    long gap = end - Math.max(before, waitedSince);
    if (gap >= SHORTEST_NANOS) {
      stalled.add(kind, gap);
    }
  }

  void failed(OpKind kind, long due) {
    firstFailure.accumulateAndGet(kind.index(), due, Math::min);
  }

  /** The run is over; what failed since the last answer has waited until now. */
  void finish(long end) {
    for (OpKind kind : OpKind.values()) {
      if (firstFailure.get(kind.index()) != Long.MAX_VALUE) {
        answered(kind, end, end);
      }
    }
  }

  long nanos(OpKind kind) {
    return stalled.get(kind);
  }
}
