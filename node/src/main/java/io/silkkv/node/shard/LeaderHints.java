package io.silkkv.node.shard;

import io.silkkv.router.ReplicaRef;
import io.silkkv.router.Shard;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which node leads a shard, as far as this node knows. A local replica knows best; for shards
 * without one, what other nodes said in their errors is kept, and without any word the first
 * replica is asked: it forwards or names the leader. A wrong hint costs one hop. Thread-safe.
 */
public final class LeaderHints {
  private final String nodeId;
  private final ReplicaDirectory replicas;
  private final Map<Long, String> learned = new ConcurrentHashMap<>();

  /**
   * @param nodeId this node, which is never a guess
   */
  public LeaderHints(String nodeId, ReplicaDirectory replicas) {
    this.nodeId = nodeId;
    this.replicas = replicas;
  }

  /** The node to send a call to; null when the local replica knows of no leader. */
  public @Nullable String leaderOf(Shard shard) {
    Replica local = replicas.replica(shard.shardId());
    if (local != null) {
      String peerId = local.leaderPeerId();
      return peerId == null ? null : nodeOf(shard, peerId);
    }
    String hint = learned.get(shard.shardId());
    return hint != null && shard.replicaOn(hint) != null ? hint : other(shard, 0);
  }

  /** Another node said who leads. */
  public void learn(long shardId, String nodeId) {
    learned.put(shardId, nodeId);
  }

  /** The node that was asked could not serve the shard: ask the next replica from now on. */
  public void disappointed(Shard shard, String asked) {
    List<ReplicaRef> all = shard.replicas();
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).nodeId().equals(asked)) {
        String next = other(shard, i + 1);
        if (next != null) {
          learned.put(shard.shardId(), next);
        }
      }
    }
  }

  /** The first replica from {@code from} on, going round, that is on another node. */
  private @Nullable String other(Shard shard, int from) {
    List<ReplicaRef> all = shard.replicas();
    for (int i = 0; i < all.size(); i++) {
      String candidate = all.get((from + i) % all.size()).nodeId();
      if (!candidate.equals(nodeId)) {
        return candidate;
      }
    }
    return null;
  }

  private static @Nullable String nodeOf(Shard shard, String peerId) {
    for (ReplicaRef replica : shard.replicas()) {
      if (replica.peerId().equals(peerId)) {
        return replica.nodeId();
      }
    }
    return null;
  }
}
