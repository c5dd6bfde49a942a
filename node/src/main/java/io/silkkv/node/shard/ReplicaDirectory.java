package io.silkkv.node.shard;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The replicas that live on this node. Thread-safe. */
public interface ReplicaDirectory {
  /** The replica of a shard; null when this node has none. */
  @Nullable Replica replica(long shardId);

  /** All replicas, in the order of their shard ids. */
  Collection<Replica> replicas();
}
