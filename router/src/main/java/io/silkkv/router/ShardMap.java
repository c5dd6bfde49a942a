package io.silkkv.router;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which shard holds which keys, and which nodes hold which shard. Immutable, so that a lookup needs
 * no lock: a holder swaps a reference. Every key belongs to exactly one data shard; the constructor
 * refuses gaps, overlaps and replicas on unknown nodes.
 */
public final class ShardMap {
  /** The shard that keeps the cluster's own metadata. */
  public static final long META_SHARD_ID = 1;

  /** A quorum of three survives one lost node; more replicas cost writes without need. */
  public static final int REPLICAS = 3;

  private final long version;
  private final UUID clusterId;
  private final Shard meta;
  private final List<Shard> shards;
  private final List<NodeInfo> nodes;
  private final Map<Long, Shard> shardsById;
  private final Map<String, NodeInfo> nodesById;

  /**
   * A map of the given parts.
   *
   * @param version grows with every change; at least 1
   * @param shards the data shards, in key order, without gaps or overlaps
   * @throws IllegalArgumentException naming the first fault
   */
  public ShardMap(
      long version, UUID clusterId, Shard meta, List<Shard> shards, List<NodeInfo> nodes) {
    if (version < 1) {
      throw new IllegalArgumentException("a shard map's version starts at 1 but is " + version);
    }
    if (meta.shardId() != META_SHARD_ID) {
      throw new IllegalArgumentException(
          "the meta shard must be shard " + META_SHARD_ID + " but is shard " + meta.shardId());
    }
    this.version = version;
    this.clusterId = clusterId;
    this.meta = meta;
    this.shards = List.copyOf(shards);
    this.nodes = List.copyOf(nodes);
    this.nodesById = indexNodes(this.nodes);
    this.shardsById = indexShards(meta, this.shards);
    checkCoverage(this.shards);
    for (Shard shard : shardsById.values()) {
      checkReplicas(shard);
    }
  }

  /**
   * The first map of a new cluster: shard 1 for metadata, shards 2, 3, ... for the ranges between
   * the split points. Each shard has up to {@link #REPLICAS} replicas; shards start at different
   * nodes of the list, so that first replicas are spread evenly. Peer ids equal node ids.
   *
   * @param splitPoints strictly increasing, none empty
   */
  public static ShardMap initial(
      UUID clusterId, List<NodeInfo> nodes, List<ByteString> splitPoints) {
    if (nodes.isEmpty()) {
      throw new IllegalArgumentException("a cluster needs at least one node");
    }
    SplitPoints.check(splitPoints);
    List<Shard> shards = new ArrayList<>();
    for (int i = 0; i <= splitPoints.size(); i++) {
      ByteString start = i == 0 ? ByteString.EMPTY : splitPoints.get(i - 1);
      ByteString end = i == splitPoints.size() ? null : splitPoints.get(i);
      long shardId = META_SHARD_ID + 1 + i;
      shards.add(firstShard(clusterId, shardId, start, end, placed(nodes, i)));
    }
    Shard meta = firstShard(clusterId, META_SHARD_ID, ByteString.EMPTY, null, placed(nodes, 0));
    return new ShardMap(1, clusterId, meta, shards, nodes);
  }

  /** The Raft group of a shard: the high half names the cluster, the low half is the shard id. */
  public static UUID groupId(UUID clusterId, long shardId) {
    return new UUID(clusterId.getMostSignificantBits(), shardId);
  }

  /** Grows with every change of the map. */
  public long version() {
    return version;
  }

  /** Chosen when the cluster was created. */
  public UUID clusterId() {
    return clusterId;
  }

  /** The meta shard; its keys are not part of the clients' key space. */
  public Shard meta() {
    return meta;
  }

  /** The data shards in key order. */
  public List<Shard> shards() {
    return shards;
  }

  /** The nodes, in the order in which they were given. */
  public List<NodeInfo> nodes() {
    return nodes;
  }

  /** The data shard of a key. */
  public Shard find(ByteString key) {
    return shards.get(indexOf(key));
  }

  /**
   * The data shards that hold a part of {@code [start, end)}, in key order; a null or empty end is
   * no bound. An empty range has none.
   */
  public List<Shard> overlapping(ByteString start, @Nullable ByteString end) {
    if (!KeyOrder.isBefore(start, end)) {
      return List.of();
    }
    int from = indexOf(start);
    int to = from + 1;
    while (to < shards.size() && KeyOrder.isBefore(shards.get(to).start(), end)) {
      to++;
    }
    return shards.subList(from, to);
  }

  /** The data shard that holds the keys just before an end; a null or empty end is no bound. */
  public Shard findBefore(@Nullable ByteString end) {
    if (end == null || end.isEmpty()) {
      return shards.get(shards.size() - 1);
    }
    int index = indexOf(end);
    return index > 0 && shards.get(index).start().equals(end)
        ? shards.get(index - 1)
        : shards.get(index);
  }

  /** A data shard or the meta shard by its id; null when there is none. */
  public @Nullable Shard byId(long shardId) {
    return shardsById.get(shardId);
  }

  /**
   * A node by its id.
   *
   * @throws IllegalArgumentException when the map has no such node; the message lists those it has
   */
  public NodeInfo node(String nodeId) {
    NodeInfo node = nodesById.get(nodeId);
    if (node == null) {
      throw new IllegalArgumentException(
          "the cluster has no node '" + nodeId + "'; it has " + nodesById.keySet());
    }
    return node;
  }

  /** A node by its id; null when the map has none. */
  public @Nullable NodeInfo findNode(String nodeId) {
    return nodesById.get(nodeId);
  }

  /**
   * This map with newer shards in the place of those whose keys they hold, as a refused request
   * attaches them. Its version stays, so a refresh still finds what else is new.
   *
   * @return null when the shards do not fill a hole of their own shape, are not newer or name an
   *     unknown node: then only the whole map helps
   */
  public @Nullable ShardMap withCurrent(List<Shard> current) {
    List<Shard> added = new ArrayList<>(current);
    added.sort(Comparator.comparing(Shard::start, KeyOrder::compare));
    List<Shard> merged = new ArrayList<>(added);
    for (Shard old : shards) {
      boolean replaced = false;
      for (Shard shard : added) {
        if (shard.overlaps(old.start(), old.end())) {
          replaced = true;
          if (shard.shardId() == old.shardId() && !shard.epoch().isAtLeast(old.epoch())) {
            return null;
          }
        }
      }
      if (!replaced) {
        merged.add(old);
      }
    }
    merged.sort(Comparator.comparing(Shard::start, KeyOrder::compare));
    try {
      return new ShardMap(version, clusterId, meta, merged, nodes);
    } catch (IllegalArgumentException partial) {
      // Expected while a split is half known; the caller fetches the whole map.
      return null;
    }
  }

  /** The message form. */
  public io.silkkv.v1.ShardMap toProto() {
    io.silkkv.v1.ShardMap.Builder message =
        io.silkkv.v1.ShardMap.newBuilder()
            .setVersion(version)
            .setClusterId(UuidBytes.of(clusterId))
            .setMeta(meta.toProto());
    for (Shard shard : shards) {
      message.addShards(shard.toProto());
    }
    for (NodeInfo node : nodes) {
      message.addNodes(node.toProto());
    }
    return message.build();
  }

  /**
   * Reads the message form.
   *
   * @throws IllegalArgumentException naming the first fault when it is not a valid map
   */
  public static ShardMap fromProto(io.silkkv.v1.ShardMap message) {
    return new ShardMap(
        message.getVersion(),
        UuidBytes.parse("cluster id", message.getClusterId()),
        Shard.fromProto(message.getMeta()),
        message.getShardsList().stream().map(Shard::fromProto).toList(),
        message.getNodesList().stream().map(NodeInfo::fromProto).toList());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ShardMap map
        && version == map.version
        && clusterId.equals(map.clusterId)
        && meta.equals(map.meta)
        && shards.equals(map.shards)
        && nodes.equals(map.nodes);
  }

  @Override
  public int hashCode() {
    return 31 * clusterId.hashCode() + Long.hashCode(version);
  }

  @Override
  public String toString() {
    return "shard map version " + version + " of cluster " + clusterId + ": " + shards;
  }

  /** Index of the last shard whose start is not after the key. */
  private int indexOf(ByteString key) {
    int low = 0;
    int high = shards.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (KeyOrder.compare(shards.get(middle).start(), key) <= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  private void checkReplicas(Shard shard) {
    for (ReplicaRef replica : shard.replicas()) {
      if (!nodesById.containsKey(replica.nodeId())) {
        throw new IllegalArgumentException(
            "shard "
                + shard.shardId()
                + " has a replica on node '"
                + replica.nodeId()
                + "', which is not in the map; it has "
                + nodesById.keySet());
      }
    }
  }

  private static void checkCoverage(List<Shard> shards) {
    if (shards.isEmpty()) {
      throw new IllegalArgumentException("a shard map needs at least one data shard");
    }
    Shard first = shards.get(0);
    if (!first.start().isEmpty()) {
      throw new IllegalArgumentException(
          "no shard holds the keys before " + KeyText.show(first.start()) + ", the first " + first);
    }
    for (int i = 1; i < shards.size(); i++) {
      Shard left = shards.get(i - 1);
      Shard right = shards.get(i);
      ByteString leftEnd = left.end();
      if (leftEnd == null || KeyOrder.compare(leftEnd, right.start()) > 0) {
        throw new IllegalArgumentException(left + " overlaps or follows " + right);
      }
      if (!leftEnd.equals(right.start())) {
        throw new IllegalArgumentException(
            "no shard holds the keys between " + left + " and " + right);
      }
    }
    Shard last = shards.get(shards.size() - 1);
    if (last.end() != null) {
      throw new IllegalArgumentException("no shard holds the keys behind the last " + last);
    }
  }

  private static Map<Long, Shard> indexShards(Shard meta, List<Shard> shards) {
    Map<Long, Shard> index = new HashMap<>();
    index.put(meta.shardId(), meta);
    for (Shard shard : shards) {
      Shard twin = index.put(shard.shardId(), shard);
      if (twin != null) {
        throw new IllegalArgumentException(
            "shard id " + shard.shardId() + " is used twice: " + twin + " and " + shard);
      }
    }
    return index;
  }

  private static Map<String, NodeInfo> indexNodes(List<NodeInfo> nodes) {
    Map<String, NodeInfo> index = new HashMap<>();
    for (NodeInfo node : nodes) {
      NodeInfo twin = index.put(node.nodeId(), node);
      if (twin != null) {
        throw new IllegalArgumentException(
            "node id '"
                + node.nodeId()
                + "' is used twice: "
                + twin.address()
                + " and "
                + node.address());
      }
    }
    return index;
  }

  private static Shard firstShard(
      UUID clusterId,
      long shardId,
      ByteString start,
      @Nullable ByteString end,
      List<ReplicaRef> replicas) {
    return new Shard(shardId, start, end, ShardEpoch.FIRST, replicas, groupId(clusterId, shardId));
  }

  private static List<ReplicaRef> placed(List<NodeInfo> nodes, int first) {
    List<ReplicaRef> replicas = new ArrayList<>();
    for (int i = 0; i < Math.min(REPLICAS, nodes.size()); i++) {
      String nodeId = nodes.get((first + i) % nodes.size()).nodeId();
      replicas.add(new ReplicaRef(nodeId, nodeId));
    }
    return replicas;
  }
}
