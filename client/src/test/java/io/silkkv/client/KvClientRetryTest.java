package io.silkkv.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.router.KvErrors;
import io.silkkv.v1.Applied;
import io.silkkv.v1.Reason;
import io.silkkv.v1.Session;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class KvClientRetryTest {
  private final FakeCluster cluster = new FakeCluster(3, "m");
  private final KvClient client = cluster.client().attemptTimeout(Duration.ofMillis(300)).build();

  @AfterEach
  void stop() {
    client.close();
    cluster.close();
  }

  @ParameterizedTest
  @EnumSource(
      value = Reason.class,
      names = {
        "NOT_LEADER",
        "NO_LEADER",
        "STALE_EPOCH",
        "SHARD_NOT_FOUND",
        "OVERLOADED",
        "DEADLINE_EXCEEDED",
        "UNAVAILABLE",
        "SHUTTING_DOWN",
        "DATA_CORRUPT",
        "INTERNAL",
        "TOO_MANY_HOPS",
        "REASON_UNSPECIFIED"
      })
  void aWriteIsRepeatedUnderTheSameNumberAfter(Reason reason) {
    failFirst(3, reason, Applied.MAYBE);

    client.put("a", "1");

    List<Session> sessions = cluster.sessions();
    assertThat(sessions).hasSizeBetween(4, 6);
    assertThat(sessions).containsOnly(sessions.get(0));
    assertThat(cluster.applied()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = Reason.class,
      names = {
        "INVALID_ARGUMENT",
        "KEY_TOO_LARGE",
        "VALUE_TOO_LARGE",
        "BATCH_TOO_LARGE",
        "CROSS_SHARD_BATCH"
      })
  void aCallIsNotRepeatedAfter(Reason reason) {
    failFirst(1, reason, Applied.NEVER);
    assertThatThrownBy(() -> client.put("a", "1"))
        .isInstanceOfSatisfying(
            KvException.InvalidRequest.class,
            e -> assertThat(e.reason().name()).isEqualTo(reason.name()));
    assertThat(cluster.sessions()).hasSize(1);
  }

  @Test
  void aLostReplyDoesNotApplyAWriteTwice() {
    AtomicInteger calls = new AtomicInteger();
    cluster.script(
        (node, call) -> {
          if (calls.incrementAndGet() > 1) {
            return null;
          }
          cluster.execute(node, call);
          return FakeCluster.NO_REPLY;
        });

    client.put("counter", "1");

    assertThat(calls).hasValueGreaterThan(1);
    assertThat(cluster.applied()).isEqualTo(1);
  }

  @Test
  void aBrokenStreamFailsItsCallsInsideAndTheyAreRepeated() {
    Map<String, Boolean> seen = new ConcurrentHashMap<>();
    cluster.script(
        (node, call) -> {
          boolean first = seen.putIfAbsent(node.id(), true) == null;
          if (first && call.hasWrite()) {
            cluster.execute(node, call);
            node.breakStreams();
            return FakeCluster.NO_REPLY;
          }
          return null;
        });

    client.put("a", "1");

    assertThat(client.get("a").orElseThrow().valueText()).isEqualTo("1");
    assertThat(cluster.applied()).isEqualTo(1);
  }

  @Test
  void acknowledgedBelowIsTheLowestUnfinishedNumberOfTheShard() {
    client.put("a", "1");
    client.put("a", "2");
    client.put("z", "other shard");
    client.put("a", "3");

    List<Session> sessions = cluster.sessions();
    assertThat(sessions.get(3).getSequence()).isEqualTo(3);
    assertThat(sessions.get(3).getAcknowledgedBelow()).isEqualTo(3);
    assertThat(sessions.get(3).getClientId()).isEqualTo(sessions.get(0).getClientId());
    assertThat(sessions.get(2).getClientId()).isNotEqualTo(sessions.get(0).getClientId());
    assertThat(sessions.get(0).getClientId().size()).isEqualTo(16);
  }

  @Test
  void anExpiredSessionIsRenewedWhenTheWriteCannotHaveBeenApplied() {
    failFirst(1, Reason.SESSION_EXPIRED, Applied.MAYBE);

    client.put("a", "1");

    List<Session> sessions = cluster.sessions();
    assertThat(sessions).hasSize(2);
    assertThat(sessions.get(1).getClientId()).isNotEqualTo(sessions.get(0).getClientId());
    assertThat(sessions.get(1).getSequence()).isEqualTo(1);
  }

  @Test
  void anExpiredSessionAfterAnUnclearAttemptIsLeftToTheApplication() {
    AtomicInteger calls = new AtomicInteger();
    cluster.script(
        (node, call) ->
            FakeCluster.error(
                calls.incrementAndGet() == 1
                    ? KvErrors.detail(Reason.UNAVAILABLE, Applied.MAYBE, "lost")
                    : KvErrors.detail(Reason.SESSION_EXPIRED, Applied.MAYBE, "forgotten")));

    assertThatThrownBy(() -> client.put("a", "1"))
        .isInstanceOfSatisfying(
            KvException.SessionExpired.class, e -> assertThat(e.maybeApplied()).isTrue());
    assertThat(calls).hasValue(2);
  }

  @Test
  void theDeadlineEndsAReadWithItsLastFailure() {
    failFirst(1_000_000, Reason.NO_LEADER, Applied.NEVER);
    long start = System.nanoTime();

    assertThatThrownBy(() -> client.withDeadline(Duration.ofMillis(300)).get("a"))
        .isInstanceOfSatisfying(
            KvException.DeadlineExceeded.class, e -> assertThat(e.maybeApplied()).isFalse())
        .hasCauseInstanceOf(KvException.Unavailable.class)
        .hasMessageContaining("NO_LEADER")
        .hasMessageContaining("attempts");
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
  }

  @Test
  void aWriteWithoutAnswerMayHaveBeenApplied() {
    cluster.script((node, call) -> FakeCluster.NO_REPLY);
    assertThatThrownBy(() -> client.withDeadline(Duration.ofMillis(200)).put("a", "1"))
        .isInstanceOfSatisfying(
            KvException.DeadlineExceeded.class, e -> assertThat(e.maybeApplied()).isTrue())
        .hasMessageContaining("it may have been applied");
  }

  @Test
  void aWriteThatWasAlwaysRefusedWasNotApplied() {
    failFirst(1_000_000, Reason.OVERLOADED, Applied.NEVER);
    assertThatThrownBy(() -> client.withDeadline(Duration.ofMillis(200)).put("a", "1"))
        .isInstanceOfSatisfying(
            KvException.DeadlineExceeded.class, e -> assertThat(e.maybeApplied()).isFalse())
        .hasCauseInstanceOf(KvException.Overloaded.class);
  }

  @Test
  void oneUnclearAttemptMakesTheWholeWriteUnclear() {
    AtomicInteger calls = new AtomicInteger();
    cluster.script(
        (node, call) ->
            FakeCluster.error(
                calls.incrementAndGet() == 1
                    ? KvErrors.detail(Reason.INTERNAL, Applied.MAYBE, "unclear")
                    : KvErrors.detail(Reason.NO_LEADER, Applied.NEVER, "clear")));
    assertThatThrownBy(() -> client.withDeadline(Duration.ofMillis(300)).put("a", "1"))
        .isInstanceOfSatisfying(
            KvException.DeadlineExceeded.class, e -> assertThat(e.maybeApplied()).isTrue());
  }

  @Test
  void aRetryAfterBeyondTheDeadlineFailsAtOnce() {
    cluster.script(
        (node, call) -> FakeCluster.error(KvErrors.retryLater(Reason.OVERLOADED, 60_000, "full")));
    long start = System.nanoTime();
    assertThatThrownBy(() -> client.withDeadline(Duration.ofSeconds(30)).get("a"))
        .isInstanceOf(KvException.DeadlineExceeded.class);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
  }

  @Test
  void aRetryAfterIsHonoured() {
    AtomicInteger calls = new AtomicInteger();
    cluster.script(
        (node, call) ->
            calls.incrementAndGet() > 1
                ? null
                : FakeCluster.error(KvErrors.retryLater(Reason.OVERLOADED, 150, "full")));
    long start = System.nanoTime();
    client.put("a", "1");
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isGreaterThanOrEqualTo(Duration.ofMillis(150));
  }

  @Test
  void anUnreachableClusterFailsByTheDeadlineAndSaysWhy() {
    try (KvClient lost =
        KvClient.builder().endpoint("127.0.0.1:1").deadline(Duration.ofMillis(400)).build()) {
      assertThatThrownBy(() -> lost.get("a"))
          .isInstanceOf(KvException.DeadlineExceeded.class)
          .hasCauseInstanceOf(KvException.Unavailable.class)
          .hasMessageContaining("no shard map from 127.0.0.1:1");
    }
  }

  @Test
  void anInterruptedCallerIsToldAndKeepsItsFlag() throws InterruptedException {
    cluster.script((node, call) -> FakeCluster.NO_REPLY);
    AtomicInteger outcome = new AtomicInteger();
    Thread caller =
        new Thread(
            () -> {
              try {
                client.get("a");
              } catch (KvException.Interrupted interrupted) {
                outcome.set(Thread.currentThread().isInterrupted() ? 1 : 2);
              }
            });
    caller.start();
    org.awaitility.Awaitility.await().until(() -> cluster.calls() > 0);
    caller.interrupt();
    caller.join();
    assertThat(outcome).hasValue(1);
  }

  private void failFirst(int count, Reason reason, Applied applied) {
    AtomicInteger calls = new AtomicInteger();
    cluster.script(
        (node, call) ->
            calls.incrementAndGet() > count
                ? null
                : FakeCluster.error(KvErrors.detail(reason, applied, "scripted " + reason)));
  }
}
