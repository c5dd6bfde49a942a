package io.silkkv.node.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.VersionedValue;
import io.silkkv.router.NodeInfo;
import io.silkkv.router.ShardMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MapBootstrapTest {
  private static final UUID CLUSTER = new UUID(5, 6);
  private static final Slice KEY = Slice.wrap(MapBootstrap.MAP_KEY.toByteArray());

  private final FakeShard meta = new FakeShard(1);
  private final List<ScheduledExecutorService> timers = new ArrayList<>();
  private final AtomicInteger reads = new AtomicInteger();

  @AfterEach
  void stop() {
    timers.forEach(ScheduledExecutorService::shutdownNow);
  }

  @Test
  void theMetaLeaderWritesTheFirstMapAndEveryNodeTakesIt() {
    meta.leader = "n1";
    ShardMapHolder first = new ShardMapHolder(mapOf(1, 2), false);
    ShardMapHolder second = new ShardMapHolder(mapOf(1, 7), false);
    bootstrap("n2", second, true, Duration.ofHours(1));
    bootstrap("n1", first, true, Duration.ofHours(1));

    await().until(() -> first.confirmed() && second.confirmed());

    assertThat(first.map()).isEqualTo(mapOf(1, 2));
    assertThat(second.map()).as("the stored map wins over n2's own").isEqualTo(mapOf(1, 2));
  }

  @Test
  void aStoredMapIsNotOverwritten() {
    meta.leader = "n1";
    store(mapOf(9, 3));
    ShardMapHolder maps = new ShardMapHolder(mapOf(1, 2), false);
    bootstrap("n1", maps, true, Duration.ofHours(1));

    await().until(maps::confirmed);

    assertThat(maps.map()).isEqualTo(mapOf(9, 3));
    assertThat(stored()).isEqualTo(mapOf(9, 3));
  }

  @Test
  void nobodyWritesWhileTheMetaShardHasNoLeaderOrTheNodeMayNot() {
    ShardMapHolder maps = new ShardMapHolder(mapOf(1, 2), false);
    bootstrap("n1", maps, true, Duration.ofHours(1));
    await().until(() -> reads.get() >= 2);
    assertThat(maps.confirmed()).isFalse();

    meta.leader = "n2";
    ShardMapHolder strangers = new ShardMapHolder(mapOf(1, 2), false);
    bootstrap("n2", strangers, false, Duration.ofHours(1));
    int before = reads.get();
    await().until(() -> reads.get() >= before + 4);

    assertThat(strangers.confirmed()).isFalse();
    assertThat(meta.engine.get(KEY)).isNull();
  }

  @Test
  void aNewerMapIsReadInTheBackground() {
    store(mapOf(1, 2));
    ShardMapHolder maps = new ShardMapHolder(mapOf(1, 2), true);
    bootstrap("n1", maps, true, Duration.ofMillis(100));

    store(mapOf(2, 3));

    await().until(() -> maps.map().version() == 2);
  }

  @Test
  void aRoutingErrorBringsANewerMapAtOnce() {
    store(mapOf(1, 2));
    ShardMapHolder maps = new ShardMapHolder(mapOf(1, 2), false);
    MapBootstrap bootstrap = bootstrap("n1", maps, true, Duration.ofHours(1));
    await().until(maps::confirmed);
    store(mapOf(2, 3));

    bootstrap.refreshSoon();

    await().until(() -> maps.map().version() == 2);
  }

  @Test
  void aDamagedMapIsLeftAloneAndTheOldOneStays() {
    meta.engine.put("cluster/shard-map", "not a map");
    ShardMapHolder maps = new ShardMapHolder(mapOf(1, 2), true);
    MapBootstrap bootstrap = bootstrap("n1", maps, true, Duration.ofHours(1));
    await().until(() -> reads.get() >= 1);

    store(mapOf(3, 2));
    bootstrap.refreshSoon();

    await().until(() -> maps.map().version() == 3);
  }

  @Test
  void listenersHearOfEveryChangeAndOldMapsChangeNothing() {
    ShardMapHolder maps = new ShardMapHolder(mapOf(4, 2), false);
    List<Long> heard = new ArrayList<>();
    maps.onUpdate(map -> heard.add(map.version()));

    assertThat(maps.update(mapOf(4, 2))).as("confirms").isTrue();
    assertThat(maps.update(mapOf(4, 2))).isFalse();
    assertThat(maps.update(mapOf(3, 5))).isFalse();
    assertThat(maps.update(mapOf(6, 3))).isTrue();

    assertThat(heard).containsExactly(4L, 6L);
    assertThat(maps.map().shards()).hasSize(3);
  }

  @Test
  void anUnconfirmedMapYieldsToWhateverTheMetaShardHolds() {
    ShardMapHolder maps = new ShardMapHolder(mapOf(4, 2), false);

    assertThat(maps.update(mapOf(1, 3))).isTrue();
    assertThat(maps.map().shards()).hasSize(3);
  }

  @Test
  void anotherClustersMapIsRefused() {
    ShardMapHolder maps = new ShardMapHolder(mapOf(1, 2), false);
    ShardMap foreign =
        ShardMap.initial(new UUID(7, 7), List.of(new NodeInfo("n1", "h:1", "", "")), List.of());

    assertThatThrownBy(() -> maps.update(foreign))
        .hasMessageContaining(foreign.clusterId().toString())
        .hasMessageContaining(CLUSTER.toString())
        .hasMessageContaining("cluster.id");
  }

  private MapBootstrap bootstrap(
      String nodeId, ShardMapHolder maps, boolean create, Duration refresh) {
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    timers.add(timer);
    MapBootstrap bootstrap =
        new MapBootstrap(
            maps,
            new FakeReplicas().add(meta.on(nodeId)),
            this::read,
            new MapBootstrap.Policy(create, refresh),
            timer,
            System::nanoTime);
    bootstrap.start();
    return bootstrap;
  }

  private CompletableFuture<Optional<ByteString>> read(ByteString key) {
    VersionedValue found = meta.engine.get(Slice.wrap(key.toByteArray()));
    reads.incrementAndGet();
    return CompletableFuture.completedFuture(
        Optional.ofNullable(found).map(value -> ByteString.copyFrom(value.value().toByteArray())));
  }

  private void store(ShardMap map) {
    meta.engine.apply(
        new io.silkkv.engine.api.WriteBatch().put(KEY, Slice.wrap(map.toProto().toByteArray())));
  }

  private ShardMap stored() {
    try {
      return ShardMap.fromProto(
          io.silkkv.v1.ShardMap.parseFrom(meta.engine.get(KEY).value().toByteArray()));
    } catch (com.google.protobuf.InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  private static ShardMap mapOf(long version, int shards) {
    List<NodeInfo> nodes =
        List.of(new NodeInfo("n1", "h:1", "", ""), new NodeInfo("n2", "h:2", "", ""));
    List<ByteString> splits = new ArrayList<>();
    for (int i = 1; i < shards; i++) {
      splits.add(ByteString.copyFromUtf8("s" + i));
    }
    ShardMap map = ShardMap.initial(CLUSTER, nodes, splits);
    return new ShardMap(version, CLUSTER, map.meta(), map.shards(), nodes);
  }
}
