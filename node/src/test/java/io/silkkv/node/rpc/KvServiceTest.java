package io.silkkv.node.rpc;

import static io.silkkv.node.rpc.Requests.bytes;
import static io.silkkv.node.rpc.Requests.errorOf;
import static io.silkkv.node.rpc.Requests.get;
import static io.silkkv.node.rpc.Requests.header;
import static io.silkkv.node.rpc.Requests.put;
import static io.silkkv.node.rpc.Requests.write;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.api.EngineClosedException;
import io.silkkv.router.KvErrors;
import io.silkkv.router.Limits;
import io.silkkv.v1.Applied;
import io.silkkv.v1.BatchGetRequest;
import io.silkkv.v1.BatchGetResponse;
import io.silkkv.v1.Condition;
import io.silkkv.v1.Epoch;
import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.GetRequest;
import io.silkkv.v1.GetResponse;
import io.silkkv.v1.Mutation;
import io.silkkv.v1.Reason;
import io.silkkv.v1.RequestHeader;
import io.silkkv.v1.Session;
import io.silkkv.v1.WriteRequest;
import io.silkkv.v1.WriteResponse;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KvServiceTest {
  private TestCluster cluster;
  private TestCluster.Node node;

  @BeforeEach
  void start() throws Exception {
    cluster = TestCluster.of(1);
    node = cluster.node(1);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void aWrittenValueIsReadBackWithItsVersion() {
    WriteResponse written = node.kv().write(write("a", "1"));
    GetResponse read = node.kv().get(get("a"));

    assertThat(written.getApplied()).isTrue();
    assertThat(read.getFound()).isTrue();
    assertThat(read.getValue()).isEqualTo(bytes("1"));
    assertThat(read.getVersion()).isEqualTo(written.getVersion()).isPositive();
    assertThat(node.kv().get(get("b")).getFound()).isFalse();
  }

  @Test
  void aDeletedKeyIsAbsent() {
    node.kv().write(write("a", "1"));
    Mutation.Delete delete = Mutation.Delete.newBuilder().setKey(bytes("a")).build();
    node.kv()
        .write(
            WriteRequest.newBuilder()
                .addMutations(Mutation.newBuilder().setDelete(delete))
                .build());

    assertThat(node.kv().get(get("a")).getFound()).isFalse();
  }

  private WriteResponse deleteRange(String start, String end) {
    Mutation.DeleteRange range =
        Mutation.DeleteRange.newBuilder().setStart(bytes(start)).setEnd(bytes(end)).build();
    return node.kv()
        .write(
            WriteRequest.newBuilder()
                .addMutations(Mutation.newBuilder().setDeleteRange(range))
                .build());
  }

  @Test
  void aRangeIsDeletedFromItsStartToBeforeItsEnd() {
    node.kv().write(write("a", "1"));
    node.kv().write(write("b", "1"));
    assertThat(deleteRange("a", "b").getApplied()).isTrue();
    assertThat(node.kv().get(get("a")).getFound()).isFalse();
    assertThat(node.kv().get(get("b")).getFound()).isTrue();
  }

  @Test
  void aRangeWithoutAnEndReachesTheLastKeyThatThereCanBe() {
    byte[] last = new byte[Limits.MAX_KEY_BYTES];
    Arrays.fill(last, (byte) 0xff);
    ByteString key = ByteString.copyFrom(last);
    node.kv()
        .write(
            WriteRequest.newBuilder()
                .addMutations(Mutation.newBuilder().setPut(Mutation.Put.newBuilder().setKey(key)))
                .build());
    assertThat(node.kv().get(GetRequest.newBuilder().setKey(key).build()).getFound()).isTrue();
    assertThat(deleteRange("zzz", "").getApplied()).isTrue();
    assertThat(node.kv().get(GetRequest.newBuilder().setKey(key).build()).getFound()).isFalse();
  }

  @Test
  void aFailedConditionNamesItselfAndTheVersionItFound() {
    long version = node.kv().write(write("a", "1")).getVersion();
    WriteRequest request =
        write("b", "2").toBuilder()
            .addConditions(Condition.newBuilder().setKey(bytes("a")).setPresent(true))
            .addConditions(Condition.newBuilder().setKey(bytes("a")).setAbsent(true))
            .build();

    WriteResponse response = node.kv().write(request);

    assertThat(response.getApplied()).isFalse();
    assertThat(response.getFailedCondition()).isEqualTo(1);
    assertThat(response.getFoundVersion()).isEqualTo(version);
    assertThat(node.kv().get(get("b")).getFound()).isFalse();
  }

  @Test
  void conditionsOnVersionAndValueReachTheReplica() {
    long version = node.kv().write(write("a", "1")).getVersion();
    WriteRequest request =
        write("a", "2").toBuilder()
            .addConditions(Condition.newBuilder().setKey(bytes("a")).setVersionEquals(version))
            .addConditions(Condition.newBuilder().setKey(bytes("a")).setValueEquals(bytes("1")))
            .build();

    assertThat(node.kv().write(request).getApplied()).isTrue();
    assertThat(node.kv().write(request).getApplied()).isFalse();
  }

  @Test
  void whatFilesHoldIsReadOnTheReadThreads() {
    cluster.shard(2).engine.put("a", "1");
    cluster.shard(2).engine.inFiles = true;

    assertThat(node.kv().get(get("a")).getValue()).isEqualTo(bytes("1"));
    assertThat(cluster.shard(2).engine.fileReads).hasValue(1);
  }

  @Test
  void aBatchGetKeepsTheOrderOfItsKeysOverShards() {
    cluster.shard(2).engine.put("a", "1");
    cluster.shard(3).engine.put("z", "26");
    cluster.shard(3).engine.inFiles = true;
    BatchGetRequest request =
        BatchGetRequest.newBuilder()
            .addKeys(bytes("z"))
            .addKeys(bytes("missing"))
            .addKeys(bytes("a"))
            .addKeys(bytes("z"))
            .build();

    BatchGetResponse response = node.kv().batchGet(request);

    assertThat(response.getValuesList())
        .extracting(value -> value.getFound() ? value.getValue().toStringUtf8() : "-")
        .containsExactly("26", "-", "1", "26");
  }

  @Test
  void aBatchGetWithoutKeysHasNoValues() {
    assertThat(node.kv().batchGet(BatchGetRequest.getDefaultInstance()).getValuesCount()).isZero();
  }

  @Test
  void aBatchGetWhoseValuesDoNotFitIntoAReplyIsRefused() {
    String big = "x".repeat(1 << 20);
    BatchGetRequest.Builder request = BatchGetRequest.newBuilder();
    for (int i = 0; i < 5; i++) {
      cluster.shard(2).engine.put("a" + i, big);
      request.addKeys(bytes("a" + i));
    }

    ErrorDetail error = errorOf(() -> node.kv().batchGet(request.build()));

    assertThat(error.getReason()).isEqualTo(Reason.BATCH_TOO_LARGE);
    assertThat(error.getField()).isEqualTo("keys");
    assertThat(error.getMessage()).contains("5242880").contains("4194304").contains("fewer keys");
  }

  @Test
  void anOversizeKeyIsRefusedWithItsFieldSizeAndLimit() {
    ErrorDetail error = errorOf(() -> node.kv().get(get("k".repeat(20_000))));

    assertThat(error.getReason()).isEqualTo(Reason.KEY_TOO_LARGE);
    assertThat(error.getApplied()).isEqualTo(Applied.NEVER);
    assertThat(error.getField()).isEqualTo("key");
    assertThat(error.getMessage()).contains("20000").contains("16384");
  }

  @Test
  void anOversizeValueIsRefusedWithItsFieldSizeAndLimit() {
    ErrorDetail error = errorOf(() -> node.kv().write(write("a", "v".repeat((2 << 20) + 1))));

    assertThat(error.getReason()).isEqualTo(Reason.VALUE_TOO_LARGE);
    assertThat(error.getField()).isEqualTo("mutations[0].put.value");
    assertThat(error.getMessage()).contains("2097153").contains("2097152");
  }

  @Test
  void anOversizeBatchIsRefusedWithItsSizeAndLimit() {
    WriteRequest.Builder request = WriteRequest.newBuilder();
    for (int i = 0; i < 3; i++) {
      request.addMutations(put("a" + i, "v".repeat(1 << 20)));
    }

    ErrorDetail error = errorOf(() -> node.kv().write(request.build()));

    assertThat(error.getReason()).isEqualTo(Reason.BATCH_TOO_LARGE);
    assertThat(error.getField()).isEqualTo("mutations");
    assertThat(error.getMessage()).contains(String.valueOf(Limits.DEFAULT.batchBytes()));
  }

  @Test
  void malformedWritesAreRefusedWithTheField() {
    WriteRequest badClient =
        write("a", "1").toBuilder()
            .setSession(Session.newBuilder().setClientId(bytes("short")).setSequence(1))
            .build();
    WriteRequest hugeVersion =
        write("a", "1").toBuilder()
            .addConditions(Condition.newBuilder().setKey(bytes("a")).setVersionEquals(-1))
            .build();

    assertThat(errorOf(() -> node.kv().write(badClient)).getField()).isEqualTo("session.client_id");
    assertThat(errorOf(() -> node.kv().write(hugeVersion)).getField())
        .isEqualTo("conditions[0].version_equals");
    assertThat(errorOf(() -> node.kv().write(WriteRequest.getDefaultInstance())).getReason())
        .isEqualTo(Reason.INVALID_ARGUMENT);
    assertThat(errorOf(() -> node.kv().get(GetRequest.getDefaultInstance())).getField())
        .isEqualTo("key");
  }

  @Test
  void aWriteOverTwoShardsIsRefused() {
    WriteRequest request = write("a", "1").toBuilder().addMutations(put("z", "2")).build();

    ErrorDetail error = errorOf(() -> node.kv().write(request));

    assertThat(error.getReason()).isEqualTo(Reason.CROSS_SHARD_BATCH);
    assertThat(error.getApplied()).isEqualTo(Applied.NEVER);
    assertThat(cluster.shard(2).engine.applied().sequence()).isZero();
  }

  @Test
  void anOldEpochIsRefusedWithTheCurrentShard() {
    RequestHeader old =
        RequestHeader.newBuilder()
            .setShardId(2)
            .setEpoch(Epoch.newBuilder().setRangeVersion(0).setMembershipVersion(1))
            .build();

    ErrorDetail error = errorOf(() -> node.kv().get(get("a").toBuilder().setHeader(old).build()));

    assertThat(error.getReason()).isEqualTo(Reason.STALE_EPOCH);
    assertThat(error.getCurrentShardsList()).containsExactly(cluster.routing(2).toProto());
    WriteRequest write = write("a", "1").toBuilder().setHeader(old).build();
    assertThat(errorOf(() -> node.kv().write(write)).getReason()).isEqualTo(Reason.STALE_EPOCH);
  }

  @Test
  void aKeyOutsideTheNamedShardIsRefusedWithTheShardThatHasIt() {
    GetRequest request = get("z").toBuilder().setHeader(header(cluster.routing(2))).build();

    ErrorDetail error = errorOf(() -> node.kv().get(request));

    assertThat(error.getReason()).isEqualTo(Reason.STALE_EPOCH);
    assertThat(error.getCurrentShardsList()).contains(cluster.routing(3).toProto());
  }

  @Test
  void anUnknownShardIsNotFound() {
    RequestHeader header = RequestHeader.newBuilder().setShardId(77).build();

    ErrorDetail error =
        errorOf(() -> node.kv().get(get("a").toBuilder().setHeader(header).build()));

    assertThat(error.getReason()).isEqualTo(Reason.SHARD_NOT_FOUND);
    assertThat(error.getCurrentShardsList()).containsExactly(cluster.routing(2).toProto());
  }

  @Test
  void theCurrentEpochIsServed() {
    GetRequest request = get("a").toBuilder().setHeader(header(cluster.routing(2))).build();

    assertThat(node.kv().get(request).getFound()).isFalse();
  }

  @Test
  void theMetaShardCanBeReadByNameButNotWritten() {
    cluster.shard(1).engine.put("cluster/x", "meta");
    RequestHeader meta = RequestHeader.newBuilder().setShardId(1).build();

    GetResponse read = node.kv().get(get("cluster/x").toBuilder().setHeader(meta).build());
    ErrorDetail error =
        errorOf(
            () ->
                node.kv()
                    .write(
                        write("cluster/x", "1").toBuilder()
                            .setHeader(header(cluster.routing(1)))
                            .build()));

    assertThat(read.getValue()).isEqualTo(bytes("meta"));
    assertThat(node.kv().get(get("cluster/x")).getFound()).isFalse();
    assertThat(error.getReason()).isEqualTo(Reason.INVALID_ARGUMENT);
    assertThat(error.getField()).isEqualTo("header.shard_id");
  }

  @Test
  void damagedDataIsReportedToTheCallerAndToTheNode() {
    cluster.shard(2).engine.inFiles = true;
    cluster.shard(2).engine.readFailure = new CorruptionException("7.sst", 16, "bad checksum");

    ErrorDetail error = errorOf(() -> node.kv().get(get("a")));

    assertThat(error.getReason()).isEqualTo(Reason.DATA_CORRUPT);
    assertThat(node.corrupt).containsExactly(2L);
  }

  @Test
  void aReplicaThatIsBeingClosedIsUnavailable() {
    cluster.shard(2).engine.inFiles = true;
    cluster.shard(2).engine.readFailure = new EngineClosedException("engine");

    assertThat(errorOf(() -> node.kv().get(get("a"))).getReason()).isEqualTo(Reason.UNAVAILABLE);
  }

  @Test
  void withoutALeaderCallersAreAskedToComeAgain() {
    cluster.shard(2).leader = null;

    ErrorDetail read = errorOf(() -> node.kv().get(get("a")));
    ErrorDetail write = errorOf(() -> node.kv().write(write("a", "1")));

    assertThat(read.getReason()).isEqualTo(Reason.NO_LEADER);
    assertThat(read.getRetryAfterMillis()).isPositive();
    assertThat(write.getReason()).isEqualTo(Reason.NO_LEADER);
    assertThat(write.getApplied()).isEqualTo(Applied.NEVER);
  }

  @Test
  void noCallIsServedBeforeTheMapIsKnown() throws Exception {
    try (TestCluster fresh = TestCluster.of(1)) {
      TestCluster.Node waiting = fresh.new Node("n1", fresh.map, TestCluster.options());
      try (waiting) {
        ErrorDetail error = errorOf(() -> waiting.kv().get(get("a")));

        assertThat(error.getReason()).isEqualTo(Reason.UNAVAILABLE);
        assertThat(error.getRetryAfterMillis()).isPositive();
        assertThat(waiting.services.mapLoaded()).isFalse();
      }
    }
  }

  @Test
  void aSessionReachesTheReplica() {
    ByteString clientId =
        ByteString.copyFrom(new byte[] {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2});
    WriteRequest request =
        write("a", "1").toBuilder()
            .setSession(
                Session.newBuilder().setClientId(clientId).setSequence(9).setAcknowledgedBelow(4))
            .build();

    var stamp = Commands.of(request).session();

    assertThat(stamp).isNotNull();
    assertThat(stamp.clientId()).isEqualTo(new java.util.UUID(1, 2));
    assertThat(stamp.sequence()).isEqualTo(9);
    assertThat(stamp.acknowledgedBelow()).isEqualTo(4);
  }

  @Test
  void theGrpcCodeFitsTheReason() {
    Throwable failure =
        org.assertj.core.api.Assertions.catchThrowable(
            () -> node.kv().get(GetRequest.getDefaultInstance()));

    assertThat(io.grpc.Status.fromThrowable(failure).getCode())
        .isEqualTo(KvErrors.code(Reason.INVALID_ARGUMENT));
  }
}
