package io.silkkv.node.rpc;

import static io.silkkv.node.rpc.Requests.errorOf;
import static io.silkkv.node.rpc.Requests.get;
import static io.silkkv.node.rpc.Requests.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.raftsm.ProposalException;
import io.silkkv.raftsm.Refusals;
import io.silkkv.v1.Applied;
import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.Reason;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each refusal of a replica becomes on the wire. */
class RefusalTest {
  private TestCluster cluster;

  @BeforeEach
  void start() throws Exception {
    cluster = TestCluster.of(1);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @ParameterizedTest
  @CsvSource({
    "NO_LEADER, NO_LEADER",
    "NOT_READY, NO_LEADER",
    "OVERLOADED, OVERLOADED",
    "TOO_LARGE, BATCH_TOO_LARGE",
    "CLOSED, UNAVAILABLE",
  })
  void aRefusedWriteWasNeverApplied(ProposalException.Reason refusal, Reason reason) {
    ErrorDetail error = writeRefusedWith(Refusals.of(refusal));

    assertThat(error.getReason()).isEqualTo(reason);
    assertThat(error.getApplied()).isEqualTo(Applied.NEVER);
    assertThat(error.getMessage()).contains("shard 2");
  }

  @Test
  void anUnknownOutcomeIsMaybe() {
    ErrorDetail error = writeRefusedWith(Refusals.unknownOutcome());

    assertThat(error.getReason()).isEqualTo(Reason.UNAVAILABLE);
    assertThat(error.getApplied()).isEqualTo(Applied.MAYBE);
  }

  @Test
  void theReplicasAdviceWhenToRetryIsPassedOn() {
    ErrorDetail error =
        writeRefusedWith(Refusals.retryAfter(ProposalException.Reason.OVERLOADED, 345));

    assertThat(error.getRetryAfterMillis()).isEqualTo(345);
  }

  @Test
  void aFailedReadBarrierIsTranslatedToo() {
    cluster.shard(2).lease = false;
    cluster.shard(2).barrier =
        CompletableFuture.failedFuture(Refusals.of(ProposalException.Reason.NOT_READY));

    ErrorDetail error = errorOf(() -> cluster.node(1).kv().get(get("a")));

    assertThat(error.getReason()).isEqualTo(Reason.NO_LEADER);
    assertThat(error.getApplied()).isEqualTo(Applied.NEVER);
  }

  @Test
  void anUnknownOutcomeOfABarrierChangedNothing() {
    cluster.shard(2).lease = false;
    cluster.shard(2).barrier = CompletableFuture.failedFuture(Refusals.unknownOutcome());

    ErrorDetail error = errorOf(() -> cluster.node(1).kv().get(get("a")));

    assertThat(error.getReason()).isEqualTo(Reason.UNAVAILABLE);
    assertThat(error.getApplied()).isEqualTo(Applied.NEVER);
  }

  private ErrorDetail writeRefusedWith(ProposalException refusal) {
    cluster.shard(2).proposals = command -> CompletableFuture.failedFuture(refusal);
    return errorOf(() -> cluster.node(1).kv().write(write("a", "1")));
  }
}
