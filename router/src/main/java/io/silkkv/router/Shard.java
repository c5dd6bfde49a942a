package io.silkkv.router;

import com.google.protobuf.ByteString;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A key range {@code [start, end)} and the replicas that hold it. Immutable.
 *
 * @param shardId never reused; {@link ShardMap#META_SHARD_ID} is the meta shard
 * @param start first key, inclusive; empty when there is no lower bound
 * @param end end key, exclusive; null when there is no upper bound (an empty one becomes null)
 * @param epoch changes so far
 * @param replicas at least one, each on another node
 * @param groupId the Raft group
 */
public record Shard(
    long shardId,
    ByteString start,
    @Nullable ByteString end,
    ShardEpoch epoch,
    List<ReplicaRef> replicas,
    UUID groupId) {

  /** Checks the range and the replicas. */
  public Shard {
    if (shardId < 1) {
      throw new IllegalArgumentException("shard ids start at 1 but this one is " + shardId);
    }
    if (end != null && end.isEmpty()) {
      end = null;
    }
    if (end != null && KeyOrder.compare(start, end) >= 0) {
      throw new IllegalArgumentException(
          "shard "
              + shardId
              + " is empty: its start "
              + KeyText.show(start)
              + " is not before its end "
              + KeyText.show(end));
    }
    replicas = List.copyOf(replicas);
    if (replicas.isEmpty()) {
      throw new IllegalArgumentException("shard " + shardId + " has no replica");
    }
    Set<String> nodes = new HashSet<>();
    for (ReplicaRef replica : replicas) {
      if (!nodes.add(replica.nodeId())) {
        throw new IllegalArgumentException(
            "shard " + shardId + " has two replicas on node " + replica.nodeId());
      }
    }
  }

  /** Whether a key belongs to this shard. */
  public boolean contains(ByteString key) {
    return KeyOrder.inRange(key, start, end);
  }

  /** Whether this shard holds a part of {@code [from, to)}; a null or empty {@code to} is open. */
  public boolean overlaps(ByteString from, @Nullable ByteString to) {
    return KeyOrder.isBefore(start, to) && KeyOrder.isBefore(from, end);
  }

  /** This shard's replica on a node; null when it has none there. */
  public @Nullable ReplicaRef replicaOn(String nodeId) {
    for (ReplicaRef replica : replicas) {
      if (replica.nodeId().equals(nodeId)) {
        return replica;
      }
    }
    return null;
  }

  /** The message form. */
  public io.silkkv.v1.Shard toProto() {
    io.silkkv.v1.Shard.Builder message =
        io.silkkv.v1.Shard.newBuilder()
            .setShardId(shardId)
            .setStart(start)
            .setEpoch(epoch.toProto())
            .setGroupId(UuidBytes.of(groupId));
    if (end != null) {
      message.setEnd(end);
    }
    for (ReplicaRef replica : replicas) {
      message.addReplicas(replica.toProto());
    }
    return message.build();
  }

  /**
   * Reads the message form.
   *
   * @throws IllegalArgumentException when it is not a valid shard
   */
  public static Shard fromProto(io.silkkv.v1.Shard message) {
    return new Shard(
        message.getShardId(),
        message.getStart(),
        message.getEnd(),
        ShardEpoch.fromProto(message.getEpoch()),
        message.getReplicasList().stream().map(ReplicaRef::fromProto).toList(),
        UuidBytes.parse("group id of shard " + message.getShardId(), message.getGroupId()));
  }

  @Override
  public String toString() {
    return "shard "
        + shardId
        + " ["
        + KeyText.show(start)
        + ", "
        + KeyText.show(end)
        + ") epoch "
        + epoch;
  }
}
