package io.silkkv.node.rpc;

import io.silkkv.engine.api.CorruptionException;

/** What the request path asks and tells the node as a whole. Thread-safe; must not block. */
public interface NodeHealth {
  /** Whether the node's replicas have caught up since its start. */
  boolean ready();

  /** The first fault of the node, for operators; empty when there is none. */
  String fault();

  /** A read of a shard met damaged data. The node goes on serving what it can. */
  void corrupt(long shardId, CorruptionException cause);
}
