package io.silkkv.router;

import static io.silkkv.router.TestMaps.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.silkkv.v1.BatchGetRequest;
import io.silkkv.v1.Condition;
import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.Mutation;
import io.silkkv.v1.Reason;
import io.silkkv.v1.ScanRequest;
import io.silkkv.v1.Session;
import io.silkkv.v1.WriteRequest;
import org.junit.jupiter.api.Test;

class LimitsTest {
  private static final Limits SMALL = new Limits(4, 8, 70);

  @Test
  void keysAndValuesWithinTheLimitsPass() {
    assertThat(SMALL.checkKey("key", key("abcd"))).isNull();
    assertThat(SMALL.checkValue("value", key("12345678"))).isNull();
    assertThat(SMALL.checkValue("value", ByteString.EMPTY)).isNull();
    assertThat(SMALL.check(put("a", "b").build())).isNull();
    assertThat(SMALL.check(BatchGetRequest.getDefaultInstance())).isNull();
    assertThat(SMALL.check(ScanRequest.getDefaultInstance())).isNull();
  }

  @Test
  void theLargestPutFitsIntoABatch() {
    WriteRequest largest =
        WriteRequest.newBuilder()
            .addMutations(
                Mutation.newBuilder()
                    .setPut(
                        Mutation.Put.newBuilder()
                            .setKey(ByteString.copyFrom(new byte[Limits.DEFAULT.keyBytes()]))
                            .setValue(ByteString.copyFrom(new byte[Limits.DEFAULT.valueBytes()]))))
            .build();
    assertThat(Limits.DEFAULT.check(largest)).isNull();
    assertThat(largest.getSerializedSize()).isLessThan(Limits.MESSAGE_BYTES);
  }

  @Test
  void manySmallChangesCountWhatTheyCarry() {
    WriteRequest.Builder many = WriteRequest.newBuilder();
    int fits = Limits.DEFAULT.batchBytes() / (Limits.ITEM_BYTES + 2);
    for (int i = 0; i < fits; i++) {
      many.addMutations(put("a", "v").getMutations(0));
    }
    assertThat(Limits.DEFAULT.check(many.build())).isNull();
    assertThat(many.build().getSerializedSize()).isLessThan(Limits.DEFAULT.batchBytes());

    many.addMutations(put("a", "v").getMutations(0));
    assertRefused(Limits.DEFAULT.check(many.build()), Reason.BATCH_TOO_LARGE, "mutations");
  }

  @Test
  void anOversizeFieldIsNamedWithItsSizeTheLimitAndTheRemedy() {
    ErrorDetail key = SMALL.checkKey("key", key("abcde"));
    assertRefused(key, Reason.KEY_TOO_LARGE, "key");
    assertThat(key.getMessage())
        .isEqualTo("key has 5 bytes, the limit is 4 bytes: use a shorter key");

    assertRefused(SMALL.checkValue("value", key("123456789")), Reason.VALUE_TOO_LARGE, "value");
    assertRefused(
        SMALL.check(put("abcde", "v").build()), Reason.KEY_TOO_LARGE, "mutations[0].put.key");
    assertRefused(
        SMALL.check(
            put("a", "12345678")
                .addAllMutations(put("b", "12345678").getMutationsList())
                .addAllMutations(put("c", "12345678").getMutationsList())
                .build()),
        Reason.BATCH_TOO_LARGE,
        "mutations");
    assertRefused(
        SMALL.check(BatchGetRequest.newBuilder().addKeys(key("a")).addKeys(key("abcde")).build()),
        Reason.KEY_TOO_LARGE,
        "keys[1]");
    assertRefused(
        SMALL.check(ScanRequest.newBuilder().setEnd(key("abcdef")).build()),
        Reason.KEY_TOO_LARGE,
        "end");
  }

  @Test
  void malformedWritesAreRefused() {
    assertInvalid(WriteRequest.newBuilder(), "mutations");
    assertInvalid(put("", "v"), "mutations[0].put.key");
    assertInvalid(
        WriteRequest.newBuilder().addMutations(Mutation.getDefaultInstance()), "mutations[0]");
    assertInvalid(
        put("a", "v").addConditions(Condition.newBuilder().setKey(key("a"))), "conditions[0]");
    assertInvalid(
        put("a", "v").addConditions(Condition.newBuilder().setAbsent(true)), "conditions[0].key");
  }

  @Test
  void malformedSessionsAreRefused() {
    Session.Builder session =
        Session.newBuilder().setClientId(ByteString.copyFrom(new byte[16])).setSequence(3);
    assertThat(SMALL.check(put("a", "v").setSession(session).build())).isNull();

    assertInvalid(
        put("a", "v").setSession(session.setAcknowledgedBelow(4)), "session.acknowledged_below");
    assertInvalid(put("a", "v").setSession(session.setSequence(0)), "session.sequence");
    assertInvalid(
        put("a", "v").setSession(session.setSequence(Long.MAX_VALUE)), "session.sequence");
    assertInvalid(put("a", "v").setSession(session.setClientId(key("short"))), "session.client_id");
  }

  @Test
  void limitsOnlyGoDownAndEveryFaultIsListed() {
    assertThatThrownBy(() -> new Limits(0, 3 << 20, 1))
        .hasMessageContaining("the key limit must be 1 to 16384 bytes but is 0")
        .hasMessageContaining("the value limit must be 1 to 2097152 bytes but is 3145728");
  }

  private static void assertInvalid(WriteRequest.Builder request, String field) {
    assertRefused(SMALL.check(request.build()), Reason.INVALID_ARGUMENT, field);
  }

  private static void assertRefused(ErrorDetail detail, Reason reason, String field) {
    assertThat(detail).isNotNull();
    assertThat(detail.getReason()).isEqualTo(reason);
    assertThat(detail.getField()).isEqualTo(field);
    assertThat(detail.getMessage()).contains(field);
  }

  private static WriteRequest.Builder put(String key, String value) {
    return WriteRequest.newBuilder()
        .addMutations(
            Mutation.newBuilder()
                .setPut(Mutation.Put.newBuilder().setKey(key(key)).setValue(key(value))));
  }
}
