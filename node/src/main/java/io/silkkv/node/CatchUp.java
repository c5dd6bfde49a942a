package io.silkkv.node;

import io.silkkv.node.admin.Health;
import io.silkkv.node.shard.Replica;
import io.silkkv.node.shard.ReplicaDirectory;
import io.silkkv.raftsm.ReplicaState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether the node's replicas have caught up since its start: each must have found a leader once,
 * and applied what was committed at that moment. Once caught up, a replica stays so: falling behind
 * later is lag, which metrics show, and no reason to take the node out of service. Thread-safe.
 */
final class CatchUp {
  private static final long CAUGHT_UP = -1;

  private final ReplicaDirectory replicas;

  /** Shard to the index that it must reach; guarded by this. */
  private final Map<Long, Long> targets = new HashMap<>();

  CatchUp(ReplicaDirectory replicas) {
    this.replicas = replicas;
  }

  synchronized List<Health.Check> checks() {
    List<Health.Check> checks = new ArrayList<>();
    for (Replica replica : replicas.replicas()) {
      checks.add(check(replica.shardId(), replica.state()));
    }
    return checks;
  }

  private Health.Check check(long shardId, ReplicaState state) {
    String name = "shard " + shardId;
    if (!targets.containsKey(shardId)) {
      if (state.leaderPeerId() == null) {
        return new Health.Check(name, false, "no leader known yet");
      }
      targets.put(shardId, state.committedIndex());
    }
    long target = targets.get(shardId);
    if (target > state.appliedIndex()) {
      return new Health.Check(
          name, false, "applied " + state.appliedIndex() + " of " + target + " log entries");
    }
    targets.put(shardId, CAUGHT_UP);
    return new Health.Check(name, true, "applied up to " + state.appliedIndex());
  }
}
