/**
 * What SilkKV adds to the Raft library's gRPC transport: {@link
 * io.silkkv.raftsm.transport.ReplicationMeter bytes are counted}, a leader knows how recently a
 * majority acknowledged it ({@link io.silkkv.raftsm.transport.ReadGate}), and voters keep the
 * promise that makes this knowledge a lease ({@link io.silkkv.raftsm.transport.VoteGuard}).
 */
@NullMarked
package io.silkkv.raftsm.transport;

import org.jspecify.annotations.NullMarked;
