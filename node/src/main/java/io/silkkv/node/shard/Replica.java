package io.silkkv.node.shard;

import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.StorageEngine;
import io.silkkv.raftsm.ReplicaState;
import io.silkkv.raftsm.command.Command;
import io.silkkv.raftsm.command.CommandResult;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * This node's copy of a shard, as the request path sees it: the border to Raft and the disk.
 * Futures may complete on the thread that applies log entries, so what hangs on them must be short.
 * Thread-safe.
 */
public interface Replica {
  long shardId();

  /** Whether this replica believes to lead its shard. A hint: propose and read decide. */
  boolean leads();

  /** Raft peer that leads, as far as this replica knows; null when it knows none. */
  @Nullable String leaderPeerId();

  /** Whether a read of {@link #engine()} that starts now is linearizable. */
  boolean canReadNow();

  /**
   * Completes when a read of {@link #engine()} is linearizable; fails with {@link
   * io.silkkv.raftsm.ProposalException}.
   */
  CompletableFuture<Void> readBarrier();

  /**
   * Puts a command into the shard's log and completes with its result once it is applied; fails
   * with {@link io.silkkv.raftsm.ProposalException}.
   */
  CompletableFuture<CommandResult> propose(Command command);

  StorageEngine engine();

  /** Figures of this moment. */
  ReplicaState state();

  CompletableFuture<Void> transferLeadership(String peerId);

  /** Makes what is applied durable in files. */
  CompletableFuture<LogPosition> flush();
}
