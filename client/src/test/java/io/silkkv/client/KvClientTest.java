package io.silkkv.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class KvClientTest {
  private final FakeCluster cluster = new FakeCluster(3, "g", "p");
  private final KvClient client = cluster.client().build();

  @AfterEach
  void stop() {
    client.close();
    cluster.close();
  }

  @Test
  void aPutIsReadBackWithItsVersion() {
    long version = client.put("color", "blue");

    KvEntry entry = client.get("color").orElseThrow();
    assertThat(entry.keyText()).isEqualTo("color");
    assertThat(entry.valueText()).isEqualTo("blue");
    assertThat(entry.version()).isEqualTo(version);
    assertThat(entry).isEqualTo(client.get("color".getBytes(UTF_8)).orElseThrow());
  }

  @Test
  void anAbsentOrDeletedKeyIsEmpty() {
    assertThat(client.get("nothing")).isEmpty();
    long written = client.put("thing", "1");
    assertThat(client.delete("thing")).isGreaterThan(written);
    assertThat(client.get("thing")).isEmpty();
  }

  @Test
  void anEmptyValueIsNotAnAbsentOne() {
    client.put("empty", "");
    assertThat(client.get("empty")).hasValueSatisfying(e -> assertThat(e.value()).isEmpty());
  }

  @Test
  void theArraysOfAPutMayBeReusedAtOnce() {
    byte[] key = "key".getBytes(UTF_8);
    byte[] value = "old".getBytes(UTF_8);
    var put = client.async().put(key, value);
    value[0] = 'X';
    key[0] = 'X';
    put.join();
    assertThat(client.get("key").orElseThrow().valueText()).isEqualTo("old");
  }

  @Test
  void aBatchIsAppliedWhenItsConditionsHold() {
    WriteResult first = client.write(KvBatch.create().ifAbsent("a1").put("a1", "x").put("a2", "y"));
    assertThat(first.applied()).isTrue();
    assertThat(first.failedCondition()).isEqualTo(-1);

    long version = client.get("a1").orElseThrow().version();
    WriteResult second =
        client.write(
            KvBatch.create()
                .ifVersion("a1", version)
                .ifValue("a2", "y")
                .ifPresent("a2")
                .put("a1", "z")
                .delete("a2"));
    assertThat(second.applied()).isTrue();
    assertThat(client.get("a1").orElseThrow().valueText()).isEqualTo("z");
    assertThat(client.get("a2")).isEmpty();
  }

  @Test
  void aFailedConditionIsAResultThatNamesItAndTheFoundVersion() {
    long version = client.put("a1", "x");
    WriteResult result =
        client.write(
            KvBatch.create().ifPresent("a1").ifVersion("a1", version + 5).put("a1", "lost"));

    assertThat(result).isEqualTo(new WriteResult(false, 0, 1, version));
    assertThat(client.get("a1").orElseThrow().valueText()).isEqualTo("x");
  }

  @Test
  void aBatchGetKeepsTheOrderOverShards() {
    client.put("z", "1");
    client.put("a", "2");
    client.put("h", "3");

    List<Optional<KvEntry>> found =
        client.batchGet(List.of(bytes("h"), bytes("z"), bytes("none"), bytes("a"), bytes("z")));

    assertThat(found.stream().map(e -> e.map(KvEntry::valueText).orElse("-")))
        .containsExactly("3", "1", "-", "2", "1");
    assertThat(client.batchGet(List.of())).isEmpty();
  }

  @Test
  void aLargeBatchGetTravelsInParts() {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      cluster.put("k" + i, "v" + i);
      keys.add(bytes("k" + i));
    }
    List<Optional<KvEntry>> found = client.batchGet(keys);
    for (int i = 0; i < keys.size(); i++) {
      assertThat(found.get(i).orElseThrow().valueText()).isEqualTo("v" + i);
    }
    assertThat(cluster.calls()).isGreaterThanOrEqualTo(2000 / BatchGetOperation.KEYS_PER_CALL);
  }

  @Test
  void aWriteOverTwoShardsIsRefused() {
    assertThatThrownBy(() -> client.write(KvBatch.create().put("a", "1").put("z", "1")))
        .isInstanceOfSatisfying(
            KvException.InvalidRequest.class,
            refused -> {
              assertThat(refused.reason()).isEqualTo(ErrorReason.CROSS_SHARD_BATCH);
              assertThat(refused.maybeApplied()).isFalse();
            })
        .hasMessageContaining("send one write per shard");
    assertThat(client.get("a")).isEmpty();
  }

  @Test
  void oversizeRequestsFailBeforeTheyAreSent() {
    assertRefused(ErrorReason.KEY_TOO_LARGE, "key", () -> client.get(new byte[(16 << 10) + 1]));
    assertRefused(
        ErrorReason.VALUE_TOO_LARGE,
        "value",
        () -> client.put(bytes("k"), new byte[(2 << 20) + 1]));
    byte[] mebibyte = new byte[1 << 20];
    KvBatch large = KvBatch.create();
    for (int i = 0; i < 3; i++) {
      large.put(bytes("k" + i), mebibyte);
    }
    assertRefused(ErrorReason.BATCH_TOO_LARGE, "mutations", () -> client.write(large));
    assertThat(cluster.calls()).isZero();
  }

  @Test
  void malformedRequestsFailBeforeTheyAreSent() {
    assertRefused(ErrorReason.INVALID_ARGUMENT, "key", () -> client.get(new byte[0]));
    assertRefused(ErrorReason.INVALID_ARGUMENT, "mutations", () -> client.write(KvBatch.create()));
    assertRefused(
        ErrorReason.INVALID_ARGUMENT,
        "keys[1]",
        () -> client.batchGet(List.of(bytes("a"), new byte[0])));
    assertThat(cluster.calls()).isZero();
  }

  @Test
  void theAsynchronousViewFailsItsFutureInsteadOfThrowing() {
    assertThatThrownBy(() -> client.async().get(new byte[0]).join())
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(KvException.InvalidRequest.class);
  }

  @Test
  void theLargestValueTravels() {
    byte[] large = new byte[2 << 20];
    large[large.length - 1] = 7;
    client.put(bytes("large"), large);
    assertThat(client.get("large").orElseThrow().value()).isEqualTo(large);
  }

  @Test
  void callsOfAClosedClientFail() {
    client.close();
    client.close();
    assertThatThrownBy(() -> client.get("a")).isInstanceOf(KvException.Closed.class);
    assertThat(client.async().get("a")).isCompletedExceptionally();
  }

  @Test
  void closingFailsTheCallsInFlight() {
    cluster.script((node, call) -> FakeCluster.NO_REPLY);
    var get = client.async().get("a");
    var put = client.async().put("a", "1");
    org.awaitility.Awaitility.await().until(() -> cluster.calls() == 2);

    client.close();

    assertThatThrownBy(get::join).hasCauseInstanceOf(KvException.Closed.class);
    assertThatThrownBy(put::join)
        .cause()
        .isInstanceOfSatisfying(
            KvException.Closed.class, e -> assertThat(e.maybeApplied()).isTrue());
  }

  @Test
  void aBlockingCallInACallbackIsRefusedInsteadOfHanging() {
    var nested = client.async().get("a").thenApply(found -> client.get("b"));
    assertThatThrownBy(nested::join)
        .hasCauseInstanceOf(IllegalStateException.class)
        .hasMessageContaining("callbackExecutor");
  }

  @Test
  void aCallbackExecutorMayBlock() {
    var executor = java.util.concurrent.Executors.newSingleThreadExecutor();
    try (KvClient blocking = cluster.client().callbackExecutor(executor).build()) {
      blocking.put("b", "2");
      var nested = blocking.async().get("a").thenApply(found -> blocking.get("b").orElseThrow());
      assertThat(nested.join().valueText()).isEqualTo("2");
    } finally {
      executor.shutdown();
    }
  }

  private static void assertRefused(
      ErrorReason reason,
      String field,
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            KvException.InvalidRequest.class,
            refused -> {
              assertThat(refused.reason()).isEqualTo(reason);
              assertThat(refused.field()).isEqualTo(field);
              assertThat(refused.maybeApplied()).isFalse();
              assertThat(refused).hasMessageContaining(field);
            });
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
