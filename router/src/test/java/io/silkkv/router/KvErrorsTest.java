package io.silkkv.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.silkkv.v1.Applied;
import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KvErrorsTest {
  @ParameterizedTest
  @EnumSource(value = Reason.class, mode = EnumSource.Mode.EXCLUDE, names = "UNRECOGNIZED")
  void aDetailTravelsThroughAStatusUnchanged(Reason reason) {
    ErrorDetail detail =
        ErrorDetail.newBuilder()
            .setReason(reason)
            .setApplied(Applied.MAYBE)
            .setRetryAfterMillis(25)
            .setMessage("what happened")
            .setField("key")
            .setLeaderNodeId("n2")
            .addCurrentShards(TestMaps.map().shards().get(0).toProto())
            .build();

    StatusRuntimeException thrown = KvErrors.toStatus(detail);

    assertThat(KvErrors.fromStatus(thrown)).isEqualTo(detail);
    assertThat(KvErrors.fromStatus(new RuntimeException("wrapped", thrown))).isEqualTo(detail);
    assertThat(thrown.getStatus().getCode())
        .isEqualTo(KvErrors.code(reason))
        .isNotEqualTo(Status.Code.OK);
  }

  @Test
  void aBareStatusTellsItsReasonAndLeavesTheOutcomeOpen() {
    ErrorDetail lost =
        KvErrors.fromStatus(Status.UNAVAILABLE.withDescription("io exception").asException());
    assertThat(lost.getReason()).isEqualTo(Reason.UNAVAILABLE);
    assertThat(lost.getApplied()).isEqualTo(Applied.MAYBE);
    assertThat(lost.getMessage()).contains("io exception");

    assertThat(KvErrors.fromStatus(Status.DEADLINE_EXCEEDED.asException()).getReason())
        .isEqualTo(Reason.DEADLINE_EXCEEDED);
    assertThat(KvErrors.fromStatus(Status.CANCELLED.asException()).getReason())
        .isEqualTo(Reason.UNAVAILABLE);
    assertThat(KvErrors.fromStatus(new IllegalStateException("boom")).getReason())
        .isEqualTo(Reason.INTERNAL);
  }

  @Test
  void aMessageTextIsNeverParsed() {
    ErrorDetail detail =
        KvErrors.fromStatus(Status.INTERNAL.withDescription("NOT_LEADER n2").asException());
    assertThat(detail.getReason()).isEqualTo(Reason.INTERNAL);
    assertThat(detail.getLeaderNodeId()).isEmpty();
  }

  @Test
  void aLeaderHintIsOptional() {
    assertThat(KvErrors.notLeader(3, "n2").getLeaderNodeId()).isEqualTo("n2");
    assertThat(KvErrors.notLeader(3, null).getLeaderNodeId()).isEmpty();
  }
}
