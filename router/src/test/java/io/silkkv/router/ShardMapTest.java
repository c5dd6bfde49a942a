package io.silkkv.router;

import static io.silkkv.router.TestMaps.CLUSTER;
import static io.silkkv.router.TestMaps.key;
import static io.silkkv.router.TestMaps.map;
import static io.silkkv.router.TestMaps.nodes;
import static io.silkkv.router.TestMaps.shard;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ShardMapTest {
  private static final Shard META = shard(1, "", "", 1);

  @Test
  void theInitialMapHasAMetaShardAndOneDataShardPerRange() {
    ShardMap map = map("9", "i", "r");

    assertThat(map.version()).isEqualTo(1);
    assertThat(map.meta().shardId()).isEqualTo(1);
    assertThat(map.shards()).extracting(Shard::shardId).containsExactly(2L, 3L, 4L, 5L);
    assertThat(map.find(key("8\\xff")).shardId()).isEqualTo(2);
    assertThat(map.find(key("9")).shardId()).isEqualTo(3);
    assertThat(map.find(key("zebra")).shardId()).isEqualTo(5);
    assertThat(map.find(ByteString.EMPTY).shardId()).isEqualTo(2);
  }

  @Test
  void firstReplicasOfTheInitialMapAreSpreadOverTheNodes() {
    ShardMap map = ShardMap.initial(CLUSTER, nodes(5), SplitPoints.evenly(5));

    assertThat(map.shards())
        .extracting(shard -> shard.replicas().get(0).nodeId())
        .containsExactly("n1", "n2", "n3", "n4", "n5");
    assertThat(map.shards()).allSatisfy(shard -> assertThat(shard.replicas()).hasSize(3));
  }

  @Test
  void aGroupIdTellsItsShard() {
    UUID group = ShardMap.groupId(CLUSTER, 42);
    assertThat(group.getMostSignificantBits()).isEqualTo(CLUSTER.getMostSignificantBits());
    assertThat(group.getLeastSignificantBits()).isEqualTo(42);
  }

  @Test
  void aMapSurvivesItsMessageForm() {
    ShardMap map = map("g", "p\\x00\\xff");
    assertThat(ShardMap.fromProto(map.toProto())).isEqualTo(map).hasSameHashCodeAs(map);
  }

  @Test
  void overlappingShardsOfARange() {
    ShardMap map = map("b", "d");

    assertThat(map.overlapping(key("a"), key("b"))).extracting(Shard::shardId).containsExactly(2L);
    assertThat(map.overlapping(key("b"), key("b\\x00")))
        .extracting(Shard::shardId)
        .containsExactly(3L);
    assertThat(map.overlapping(key("a"), null)).hasSize(3);
    assertThat(map.overlapping(key("a"), ByteString.EMPTY)).hasSize(3);
    assertThat(map.overlapping(key("c"), key("c"))).isEmpty();
    assertThat(map.overlapping(key("e"), key("c"))).isEmpty();
  }

  @Test
  void theShardBeforeAnEndIsWhereAReverseScanBegins() {
    ShardMap map = map("b", "d");

    assertThat(map.findBefore(null).shardId()).isEqualTo(4);
    assertThat(map.findBefore(key("d\\x00")).shardId()).isEqualTo(4);
    assertThat(map.findBefore(key("d")).shardId()).isEqualTo(3);
    assertThat(map.findBefore(key("a")).shardId()).isEqualTo(2);
  }

  @Test
  void aGapIsRefused() {
    assertRefused("no shard holds the keys between", shard(2, "", "b", 1), shard(3, "c", "", 1));
    assertRefused("no shard holds the keys before \"a\"", shard(2, "a", "", 1));
    assertRefused("no shard holds the keys behind the last shard 2", shard(2, "", "x", 1));
    assertRefused("at least one data shard");
  }

  @Test
  void anOverlapIsRefused() {
    assertRefused("overlaps", shard(2, "", "c", 1), shard(3, "b", "", 1));
    assertRefused("overlaps", shard(2, "", "", 1), shard(3, "b", "", 1));
  }

  @Test
  void aRepeatedShardIdIsRefused() {
    assertRefused("shard id 2 is used twice", shard(2, "", "c", 1), shard(2, "c", "", 1));
    assertRefused("shard id 1 is used twice", shard(1, "", "", 1));
  }

  @Test
  void aReplicaOnAnUnknownNodeIsRefused() {
    Shard lost =
        new Shard(
            2,
            ByteString.EMPTY,
            null,
            ShardEpoch.FIRST,
            List.of(new ReplicaRef("n9", "n9")),
            ShardMap.groupId(CLUSTER, 2));
    assertRefused("shard 2 has a replica on node 'n9', which is not in the map", lost);
  }

  @Test
  void aRepeatedNodeIsRefused() {
    assertThatThrownBy(
            () ->
                new ShardMap(
                    1,
                    CLUSTER,
                    META,
                    List.of(shard(2, "", "", 1)),
                    List.of(nodes(1).get(0), nodes(1).get(0))))
        .hasMessageContaining("node id 'n1' is used twice");
  }

  @Test
  void anotherMetaShardIsRefused() {
    assertThatThrownBy(
            () ->
                new ShardMap(
                    1, CLUSTER, shard(7, "", "", 1), List.of(shard(2, "", "", 1)), nodes(1)))
        .hasMessageContaining("the meta shard must be shard 1 but is shard 7");
  }

  @Test
  void aMessageThatIsNoMapIsRefused() {
    assertThatThrownBy(() -> ShardMap.fromProto(io.silkkv.v1.ShardMap.getDefaultInstance()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cluster id must have 16 bytes but has 0");
  }

  @Test
  void badShardsAreRefused() {
    assertThatThrownBy(() -> shard(2, "c", "b", 1))
        .hasMessageContaining("its start \"c\" is not before its end \"b\"");
    assertThatThrownBy(() -> shard(0, "", "", 1)).hasMessageContaining("shard ids start at 1");
    assertThatThrownBy(() -> shard(2, "", "", 0)).hasMessageContaining("epoch starts at 1.1");
    List<ReplicaRef> twins = List.of(new ReplicaRef("n1", "a"), new ReplicaRef("n1", "b"));
    assertThatThrownBy(() -> new Shard(2, ByteString.EMPTY, null, ShardEpoch.FIRST, twins, CLUSTER))
        .hasMessageContaining("two replicas on node n1");
    assertThatThrownBy(
            () -> new Shard(2, ByteString.EMPTY, null, ShardEpoch.FIRST, List.of(), CLUSTER))
        .hasMessageContaining("has no replica");
  }

  @Test
  void unknownNodesAreNamedTogetherWithTheKnownOnes() {
    assertThatThrownBy(() -> map().node("n7"))
        .hasMessageContaining("no node 'n7'")
        .hasMessageContaining("n1");
    assertThat(map().findNode("n7")).isNull();
    assertThat(map().node("n2").address()).isEqualTo("127.0.0.1:7402");
  }

  @Test
  void currentShardsOfASplitTakeTheirParentsPlace() {
    ShardMap old = map("m");
    ShardMap healed = old.withCurrent(List.of(shard(9, "f", "m", 2), shard(2, "", "f", 2)));

    assertThat(healed).isNotNull();
    assertThat(healed.shards()).extracting(Shard::shardId).containsExactly(2L, 9L, 3L);
    assertThat(healed.version()).isEqualTo(old.version());
  }

  @Test
  void currentShardsThatLeaveAHoleOrAreOldDoNotHeal() {
    ShardMap old = map("m");
    assertThat(old.withCurrent(List.of(shard(2, "", "f", 2)))).isNull();

    ShardMap newer = old.withCurrent(List.of(shard(2, "", "m", 3)));
    assertThat(newer).isNotNull();
    assertThat(newer.withCurrent(List.of(shard(2, "", "m", 2)))).isNull();
  }

  private static void assertRefused(String message, Shard... shards) {
    assertThatThrownBy(() -> new ShardMap(1, CLUSTER, META, List.of(shards), nodes(3)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
