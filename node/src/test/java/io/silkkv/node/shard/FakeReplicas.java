package io.silkkv.node.shard;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** The replicas of one node, as the test puts them there. */
public final class FakeReplicas implements ReplicaDirectory {
  private final Map<Long, Replica> replicas = new ConcurrentSkipListMap<>();

  public FakeReplicas add(Replica replica) {
    replicas.put(replica.shardId(), replica);
    return this;
  }

  public void remove(long shardId) {
    replicas.remove(shardId);
  }

  @Override
  public @Nullable Replica replica(long shardId) {
    return replicas.get(shardId);
  }

  @Override
  public Collection<Replica> replicas() {
    return replicas.values();
  }
}
