package io.silkkv.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.silkkv.router.KvErrors;
import io.silkkv.v1.Reason;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryPolicyTest {
  private final RetryPolicy policy = new RetryPolicy(new SplittableRandom(42));
  private final Operation<?> operation =
      new GetOperation(ByteString.copyFromUtf8("key"), Long.MAX_VALUE);

  @ParameterizedTest
  @CsvSource({
    "INVALID_ARGUMENT, FAIL",
    "KEY_TOO_LARGE, FAIL",
    "VALUE_TOO_LARGE, FAIL",
    "BATCH_TOO_LARGE, FAIL",
    "CROSS_SHARD_BATCH, FAIL",
    "NOT_LEADER, NEW_ROUTE",
    "STALE_EPOCH, NEW_ROUTE",
    "SHARD_NOT_FOUND, NEW_ROUTE",
    "UNAVAILABLE, OTHER_NODE",
    "SHUTTING_DOWN, OTHER_NODE",
    "DATA_CORRUPT, OTHER_NODE",
    "SESSION_EXPIRED, NEW_SESSION",
    "NO_LEADER, LATER",
    "OVERLOADED, LATER",
    "TOO_MANY_HOPS, LATER",
    "DEADLINE_EXCEEDED, LATER",
    "INTERNAL, LATER",
    "REASON_UNSPECIFIED, LATER",
    "UNRECOGNIZED, LATER"
  })
  void everyReasonHasItsAdvice(Reason reason, RetryPolicy.Advice advice) {
    assertThat(RetryPolicy.advice(reason)).isEqualTo(advice);
  }

  @Test
  void anotherRouteIsTriedAtOnceButOnlyTwiceInARow() {
    var failure = KvErrors.refused(Reason.NOT_LEADER, "elsewhere");
    assertThat(policy.delayNanos(operation, failure)).isZero();
    assertThat(policy.delayNanos(operation, failure)).isZero();
    assertThat(policy.delayNanos(operation, failure)).isPositive();
    assertThat(policy.delayNanos(operation, failure)).isZero();
  }

  @Test
  void waitsAreDrawnBelowALimitThatDoublesAndThenStays() {
    for (int earlier = 0; earlier < 20; earlier++) {
      long limit = TimeUnit.MILLISECONDS.toNanos(10L << Math.min(earlier, 6));
      long longest = 0;
      for (int i = 0; i < 200; i++) {
        long wait = policy.jitterNanos(earlier);
        assertThat(wait).isBetween(1L, limit);
        longest = Math.max(longest, wait);
      }
      assertThat(longest).isGreaterThan(limit / 2);
    }
  }

  @Test
  void whatTheNodeAsksForIsAddedToTheWait() {
    var failure = KvErrors.retryLater(Reason.OVERLOADED, 250, "full");
    long delay = policy.delayNanos(operation, failure);
    assertThat(delay)
        .isBetween(TimeUnit.MILLISECONDS.toNanos(250), TimeUnit.MILLISECONDS.toNanos(261));
  }
}
