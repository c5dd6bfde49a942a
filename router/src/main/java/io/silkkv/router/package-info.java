/**
 * From a key to the shard and node that serve it: the shard map, request routing and placement
 * planning, next to the wire contract (generated as {@code io.silkkv.v1}) that clients and nodes
 * share. No threads, no sockets.
 */
@NullMarked
package io.silkkv.router;

import org.jspecify.annotations.NullMarked;
