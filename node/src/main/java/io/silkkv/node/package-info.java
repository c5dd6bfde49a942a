/**
 * Where a request arrives: the server process. It takes requests off the network, hands them to the
 * shard's Raft group ({@code raftsm}) and owns the engines, their resources and the order of start
 * and stop.
 */
@NullMarked
package io.silkkv.node;

import org.jspecify.annotations.NullMarked;
