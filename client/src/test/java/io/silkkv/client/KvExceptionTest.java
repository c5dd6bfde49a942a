package io.silkkv.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.Reason;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class KvExceptionTest {
  @ParameterizedTest
  @CsvSource({
    "INVALID_ARGUMENT, INVALID_ARGUMENT, InvalidRequest",
    "KEY_TOO_LARGE, KEY_TOO_LARGE, InvalidRequest",
    "VALUE_TOO_LARGE, VALUE_TOO_LARGE, InvalidRequest",
    "BATCH_TOO_LARGE, BATCH_TOO_LARGE, InvalidRequest",
    "CROSS_SHARD_BATCH, CROSS_SHARD_BATCH, InvalidRequest",
    "NOT_LEADER, NOT_LEADER, Unavailable",
    "NO_LEADER, NO_LEADER, Unavailable",
    "STALE_EPOCH, STALE_EPOCH, Unavailable",
    "SHARD_NOT_FOUND, SHARD_NOT_FOUND, Unavailable",
    "OVERLOADED, OVERLOADED, Overloaded",
    "SESSION_EXPIRED, SESSION_EXPIRED, SessionExpired",
    "DEADLINE_EXCEEDED, DEADLINE_EXCEEDED, DeadlineExceeded",
    "UNAVAILABLE, UNAVAILABLE, Unavailable",
    "SHUTTING_DOWN, SHUTTING_DOWN, Unavailable",
    "DATA_CORRUPT, DATA_CORRUPT, NodeFault",
    "INTERNAL, INTERNAL, NodeFault",
    "TOO_MANY_HOPS, TOO_MANY_HOPS, Unavailable",
    "REASON_UNSPECIFIED, INTERNAL, NodeFault"
  })
  void everyReasonHasItsException(Reason wire, ErrorReason reason, String type) {
    ErrorDetail detail =
        ErrorDetail.newBuilder().setReason(wire).setMessage("why").setField("f").build();
    KvException exception = KvException.of(detail, true);

    assertThat(exception.getClass().getSimpleName()).isEqualTo(type);
    assertThat(exception.reason()).isEqualTo(reason);
    assertThat(exception.maybeApplied()).isTrue();
    assertThat(exception).hasMessage("why");
    assertThat(KvException.of(detail, false).maybeApplied()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(Reason.class)
  void noReasonIsWithoutAMessage(Reason reason) {
    ErrorDetail.Builder detail = ErrorDetail.newBuilder();
    if (reason == Reason.UNRECOGNIZED) {
      detail.setReasonValue(9999);
    } else {
      detail.setReason(reason);
    }
    assertThat(KvException.of(detail.build(), false).getMessage()).isNotBlank();
  }
}
