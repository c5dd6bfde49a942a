package io.silkkv.node.rpc;

import io.grpc.Context;
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

  /** For a call inside a stream: 0 means the default. */
  long deadlineAfter(long nowNanos, int timeoutMillis) {
    return timeoutMillis == 0
        ? nowNanos + defaultTimeout.toNanos()
        : nowNanos + TimeUnit.MILLISECONDS.toNanos(Integer.toUnsignedLong(timeoutMillis));
  }

  /** For the unary call that the current thread handles: gRPC's deadline, else the default. */
  long deadlineOfUnary() {
    Deadline deadline = Context.current().getDeadline();
    return nanoTime.getAsLong()
        + (deadline == null
            ? defaultTimeout.toNanos()
            : deadline.timeRemaining(TimeUnit.NANOSECONDS));
  }
}
