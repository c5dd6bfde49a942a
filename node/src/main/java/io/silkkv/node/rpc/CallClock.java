package io.silkkv.node.rpc;

import io.grpc.Deadline;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * When callers stop waiting, on the node's nanosecond clock. Thread-safe.
 *
 * @param nanoTime the node's clock
 * @param defaultTimeout for callers that do not say
 */
record CallClock(LongSupplier nanoTime, Duration defaultTimeout) {

  /** For a caller that waits for {@code timeoutMillis} from now on; 0 means the default. */
  long deadlineAfter(int timeoutMillis) {
    return deadlineAfter(nanoTime.getAsLong(), timeoutMillis);
  }

  /** The same, for a clock that was read before. */
  long deadlineAfter(long nowNanos, int timeoutMillis) {
    return timeoutMillis == 0
        ? nowNanos + defaultTimeout.toNanos()
        : nowNanos + TimeUnit.MILLISECONDS.toNanos(Integer.toUnsignedLong(timeoutMillis));
  }

  /** For a call that carries a deadline of gRPC. */
  long deadlineOf(Deadline deadline) {
    return nanoTime.getAsLong() + deadline.timeRemaining(TimeUnit.NANOSECONDS);
  }
}
