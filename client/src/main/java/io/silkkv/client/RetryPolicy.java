package io.silkkv.client;

import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.Reason;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * What to do about a failed attempt, by its reason alone, and how long to wait. Waiting times are
 * drawn evenly from zero to a limit that doubles each time, so that clients that failed together do
 * not come back together; what a node asks for is added.
 */
final class RetryPolicy {
  private static final long FIRST_LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final int MAX_DOUBLINGS = 6;
  private static final int MOST_AT_ONCE = 2;

  private final RandomGenerator random;

  RetryPolicy(RandomGenerator random) {
    this.random = random;
  }

  /** What a reason asks for. */
  enum Advice {
    /** The same call would fail again. */
    FAIL,
    /** Follow the routing in the error, or fetch the map. */
    NEW_ROUTE,
    /** Ask another node. */
    OTHER_NODE,
    /** Wait. */
    LATER,
    /** The session is gone. */
    NEW_SESSION
  }

  static Advice advice(Reason reason) {
    return switch (reason) {
      case INVALID_ARGUMENT, KEY_TOO_LARGE, VALUE_TOO_LARGE, BATCH_TOO_LARGE, CROSS_SHARD_BATCH ->
          Advice.FAIL;
      case NOT_LEADER, STALE_EPOCH, SHARD_NOT_FOUND -> Advice.NEW_ROUTE;
      case UNAVAILABLE, SHUTTING_DOWN, DATA_CORRUPT -> Advice.OTHER_NODE;
      case SESSION_EXPIRED -> Advice.NEW_SESSION;
      case NO_LEADER,
          OVERLOADED,
          TOO_MANY_HOPS,
          DEADLINE_EXCEEDED,
          INTERNAL,
          REASON_UNSPECIFIED,
          UNRECOGNIZED ->
          Advice.LATER;
    };
  }

  /**
   * Nanoseconds until the next attempt; notes the attempt in the operation. A new route or another
   * node is tried at once, but only twice in a row: nodes that send a call in circles must not make
   * it spin.
   */
  long delayNanos(Operation<?> operation, ErrorDetail failure) {
    Advice advice = advice(failure.getReason());
    boolean mayBeAtOnce =
        advice != Advice.LATER
            && failure.getRetryAfterMillis() == 0
            && operation.atOnce() < MOST_AT_ONCE;
    if (mayBeAtOnce) {
      operation.countAtOnce();
      return 0;
    }
    long asked = TimeUnit.MILLISECONDS.toNanos(failure.getRetryAfterMillis() & 0xFFFFFFFFL);
    long delay = asked + jitterNanos(operation.delayed());
    operation.countDelayed();
    return delay;
  }

  /** A random wait after a number of earlier waits. */
  long jitterNanos(int earlier) {
    return 1 + random.nextLong(FIRST_LIMIT_NANOS << Math.min(earlier, MAX_DOUBLINGS));
  }
}
