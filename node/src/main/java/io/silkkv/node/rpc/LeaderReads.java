package io.silkkv.node.rpc;

import io.silkkv.node.shard.Replica;
import io.silkkv.node.shard.ReplicaDirectory;
import io.silkkv.raftsm.ProposalException;
import io.silkkv.router.Shard;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides where a linearizable read happens: at once on this node while its replica holds the
 * lease, after a barrier when it leads without one, else at the leader's node. Thread-safe.
 */
final class LeaderReads {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderReads.class);

  private final ReplicaDirectory replicas;
  private final Forwarder forwarder;
  private final InFlight inFlight;
  private final ReadThreads threads;

  LeaderReads(
      ReplicaDirectory replicas, Forwarder forwarder, InFlight inFlight, ReadThreads threads) {
    this.replicas = replicas;
    this.forwarder = forwarder;
    this.inFlight = inFlight;
    this.threads = threads;
  }

  /**
   * Runs {@code read} when its result will be linearizable: on the calling thread, or on the one
   * that completes a barrier, so it must not wait for a file. Otherwise forwards or fails the call.
   */
  void whenReadable(PendingCall call, Shard shard, Consumer<Replica> read) {
    Replica replica = replicas.replica(shard.shardId());
    if (replica == null) {
      forwarder.forward(call, shard);
      return;
    }
    if (replica.canReadNow()) {
      threads.run(call, shard.shardId(), () -> read.accept(replica));
      return;
    }
    if (!replica.leads()) {
      forwarder.forward(call, shard);
      return;
    }
    if (inFlight.admit(call)) {
      var unused =
          replica
              .readBarrier()
              .whenComplete(
                  (ok, failure) -> {
                    if (failure == null) {
                      threads.run(call, shard.shardId(), () -> read.accept(replica));
                    } else {
                      refused(call, shard, Failures.unwrap(failure));
                    }
                  });
    }
  }

  private void refused(PendingCall call, Shard shard, Throwable failure) {
    if (!(failure instanceof ProposalException refusal)) {
      LOG.warn("Shard {}: a read barrier failed", shard.shardId(), failure);
      call.fail(Failures.internal(call, "a read barrier of shard " + shard.shardId()));
    } else if (refusal.reason() == ProposalException.Reason.NOT_LEADER) {
      forwarder.forward(call, shard);
    } else {
      call.fail(Failures.of(refusal, call, shard.shardId()));
    }
  }
}
