/**
 * What this node knows about the cluster's shards: the current shard map and how it is created and
 * refreshed, the leaders it believes in, and the replicas that live here. {@code node.rpc} asks it
 * for every call.
 */
@NullMarked
package io.silkkv.node.shard;

import org.jspecify.annotations.NullMarked;
