package io.silkkv.raftsm;

import java.util.List;
import java.util.UUID;

/**
 * A shard that this node replicates.
 *
 * @param shardId number of the shard in the cluster
 * @param groupId identifies its Raft group; the low 8 bytes are the shard id
 * @param peers the replicas that the group starts with; empty when this replica will be added to an
 *     existing group
 */
public record ShardSpec(long shardId, UUID groupId, List<PeerSpec> peers) {
  /**
   * @throws IllegalArgumentException when the group id does not end with the shard id
   */
  public ShardSpec {
    peers = List.copyOf(peers);
    if (groupId.getLeastSignificantBits() != shardId) {
      throw new IllegalArgumentException(
          "group id " + groupId + " does not belong to shard " + shardId);
    }
  }
}
