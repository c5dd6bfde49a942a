/**
 * The request path. A call arrives here from a client or from a node that forwards it (gRPC), is
 * checked, finds its shard in {@code node.shard}'s map, and is either served by the local replica
 * ({@code raftsm} for writes, the engine's read side for gets and scans) or forwarded to the node
 * that leads the shard.
 */
@NullMarked
package io.silkkv.node.rpc;

import org.jspecify.annotations.NullMarked;
