package io.silkkv.router;

import static io.silkkv.router.TestMaps.key;
import static io.silkkv.router.TestMaps.keys;
import static io.silkkv.router.TestMaps.map;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.silkkv.v1.Applied;
import io.silkkv.v1.Condition;
import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.Mutation;
import io.silkkv.v1.Reason;
import io.silkkv.v1.RequestHeader;
import io.silkkv.v1.WriteRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoutingTest {
  private final ShardMap map = map("i", "r");

  @Test
  void keysAreGroupedByShardAndKeepTheirPlaces() {
    assertThat(Routing.groupByShard(map, keys("z", "a", "z2", "k")))
        .satisfiesExactly(
            group -> assertGroup(group, 4, 0, 2),
            group -> assertGroup(group, 2, 1),
            group -> assertGroup(group, 3, 3));
    assertThat(Routing.groupByShard(map, keys())).isEmpty();
  }

  @Test
  void aWriteWithinOneShardIsRoutedThere() {
    WriteRequest write =
        WriteRequest.newBuilder()
            .addMutations(put("j"))
            .addMutations(delete("q"))
            .addConditions(Condition.newBuilder().setKey(key("k")).setAbsent(true))
            .build();
    assertThat(Routing.route(map, write))
        .isEqualTo(new Routing.WriteRoute.InShard(map.find(key("j"))));
  }

  @Test
  void aWriteOverTwoShardsIsRefusedAndNamesBoth() {
    ErrorDetail error =
        refusal(WriteRequest.newBuilder().addMutations(put("j")).addMutations(delete("z")));
    assertThat(error.getReason()).isEqualTo(Reason.CROSS_SHARD_BATCH);
    assertThat(error.getApplied()).isEqualTo(Applied.NEVER);
    assertThat(error.getField()).isEqualTo("mutations[1]");
    assertThat(error.getMessage())
        .contains("\"j\" is in shard 3 and \"z\" in shard 4: send one write per shard");
  }

  private static WriteRequest deleteRange(String start, String end) {
    return WriteRequest.newBuilder()
        .addMutations(
            Mutation.newBuilder()
                .setDeleteRange(
                    Mutation.DeleteRange.newBuilder().setStart(key(start)).setEnd(key(end))))
        .build();
  }

  @Test
  void aRangeMayEndWhereItsShardEndsButNoFurther() {
    Shard shard = map.find(key("j"));
    String end = shard.end().toStringUtf8();
    assertThat(Routing.route(map, deleteRange("j", end)))
        .isEqualTo(new Routing.WriteRoute.InShard(shard));
    assertThat(Routing.route(map, deleteRange("z", "")))
        .isEqualTo(new Routing.WriteRoute.InShard(map.find(key("z"))));
    for (String further : List.of(end + "0", "")) {
      ErrorDetail error = refusal(deleteRange("j", further).toBuilder());
      assertThat(error.getReason()).isEqualTo(Reason.CROSS_SHARD_BATCH);
      assertThat(error.getField()).isEqualTo("mutations[0]");
    }
  }

  @Test
  void aConditionInAnotherShardIsRefusedToo() {
    ErrorDetail error =
        refusal(
            WriteRequest.newBuilder()
                .addMutations(put("j"))
                .addConditions(Condition.newBuilder().setKey(key("a")).setPresent(true)));
    assertThat(error.getField()).isEqualTo("conditions[0]");
  }

  @Test
  void aHeaderWithoutAShardAlwaysFits() {
    assertThat(check(RequestHeader.getDefaultInstance(), "a")).isNull();
  }

  @Test
  void aCurrentHeaderFitsKeysAndRangesOfItsShard() {
    RequestHeader header = header(3, 1, 1);
    assertThat(check(header, "i")).isNull();
    assertThat(Routing.checkHeader(map, header, key("i"), key("r"))).isNull();
    assertThat(Routing.checkHeader(map, header(4, 1, 1), key("s"), null)).isNull();
    assertThat(Routing.checkHeader(map, header(4, 1, 1), key("s"), ByteString.EMPTY)).isNull();
  }

  @Test
  void anOldEpochOrAnotherShardsKeyIsRefusedWithTheCurrentRouting() {
    assertStale(check(header(3, 2, 1), "j"), Reason.STALE_EPOCH, 3);
    assertStale(check(header(3, 1, 1), "a"), Reason.STALE_EPOCH, 2, 3);
    assertStale(check(header(3, 1, 1), "r"), Reason.STALE_EPOCH, 3, 4);
    assertStale(check(header(2, 1, 1), "z"), Reason.STALE_EPOCH, 2, 3, 4);
    assertStale(check(header(77, 1, 1), "z"), Reason.SHARD_NOT_FOUND, 4);
    assertStale(
        Routing.checkHeader(map, header(3, 1, 1), key("j"), key("z")), Reason.STALE_EPOCH, 3, 4);
    assertStale(
        Routing.checkHeader(map, header(3, 1, 1), key("j"), null), Reason.STALE_EPOCH, 3, 4);
  }

  private ErrorDetail check(RequestHeader header, String key) {
    return Routing.checkHeader(map, header, key(key), KeyOrder.next(key(key)));
  }

  private ErrorDetail refusal(WriteRequest.Builder write) {
    return ((Routing.WriteRoute.Refused) Routing.route(map, write.build())).error();
  }

  private static void assertStale(ErrorDetail error, Reason reason, long... shardIds) {
    assertThat(error.getReason()).isEqualTo(reason);
    assertThat(error.getApplied()).isEqualTo(Applied.NEVER);
    assertThat(error.getCurrentShardsList().stream().mapToLong(io.silkkv.v1.Shard::getShardId))
        .containsExactly(java.util.Arrays.stream(shardIds).boxed().toArray(Long[]::new));
  }

  private static void assertGroup(Routing.KeyGroup group, long shardId, Integer... positions) {
    assertThat(group.shard().shardId()).isEqualTo(shardId);
    assertThat(group.positions()).containsExactly(positions);
  }

  private static RequestHeader header(long shardId, long rangeVersion, long membershipVersion) {
    return RequestHeader.newBuilder()
        .setShardId(shardId)
        .setEpoch(new ShardEpoch(rangeVersion, membershipVersion).toProto())
        .build();
  }

  private static Mutation put(String key) {
    return Mutation.newBuilder().setPut(Mutation.Put.newBuilder().setKey(key(key))).build();
  }

  private static Mutation delete(String key) {
    return Mutation.newBuilder().setDelete(Mutation.Delete.newBuilder().setKey(key(key))).build();
  }
}
