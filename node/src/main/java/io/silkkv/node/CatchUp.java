package io.silkkv.node;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.node.admin.Health;
import io.silkkv.node.shard.Replica;
import io.silkkv.node.shard.ReplicaDirectory;
import io.silkkv.raftsm.ReplicaState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Whether the node's replicas have caught up since its start: each must have applied what its
 * leader had committed when it was first asked. Once caught up, a replica stays so: falling behind
 * later is lag, which metrics show, and no reason to take the node out of service. Thread-safe.
 */
final class CatchUp {
  /** Asks a leader how far its shard is committed; may take a while. */
  @FunctionalInterface
  interface LeaderCommits {
    /** Empty when the peer does not answer or does not lead. */
    OptionalLong committedIndex(long shardId, String leaderPeerId);
  }

  private static final long CAUGHT_UP = -1;

  private final ReplicaDirectory replicas;
  private final LeaderCommits leaders;

  /** Shard to the index that it must reach. */
  @GuardedBy("targets")
  private final Map<Long, Long> targets = new HashMap<>();

  CatchUp(ReplicaDirectory replicas, LeaderCommits leaders) {
    this.replicas = replicas;
    this.leaders = leaders;
  }

  /** Asks the leaders that are known and were not asked yet. Call it now and then until ready. */
  void look() {
    for (Replica replica : replicas.replicas()) {
      ReplicaState state = replica.state();
      String leader = state.leaderPeerId();
      if (leader != null && target(replica.shardId()) == null) {
        OptionalLong committed =
            state.ready()
                ? OptionalLong.of(state.committedIndex())
                : leaders.committedIndex(replica.shardId(), leader);
        committed.ifPresent(index -> setTarget(replica.shardId(), index));
      }
    }
  }

  List<Health.Check> checks() {
    List<Health.Check> checks = new ArrayList<>();
    for (Replica replica : replicas.replicas()) {
      checks.add(check(replica.shardId(), replica.state()));
    }
    return checks;
  }

  private Health.Check check(long shardId, ReplicaState state) {
    String name = "shard " + shardId;
    Long target = target(shardId);
    if (target == null) {
      String leader = state.leaderPeerId();
      return new Health.Check(
          name, false, leader == null ? "no leader known yet" : "waits for leader " + leader);
    }
    if (target > state.appliedIndex()) {
      return new Health.Check(
          name, false, "applied " + state.appliedIndex() + " of " + target + " log entries");
    }
    setTarget(shardId, CAUGHT_UP);
    return new Health.Check(name, true, "applied up to " + state.appliedIndex());
  }

  private @Nullable Long target(long shardId) {
    synchronized (targets) {
      return targets.get(shardId);
    }
  }

  private void setTarget(long shardId, long index) {
    synchronized (targets) {
      targets.put(shardId, index);
    }
  }
}
