package io.silkkv.node.rpc;

import com.google.protobuf.ByteString;
import io.silkkv.node.shard.Replica;
import io.silkkv.node.shard.ReplicaDirectory;
import io.silkkv.raftsm.ProposalException;
import io.silkkv.raftsm.command.CommandResult;
import io.silkkv.router.KvErrors;
import io.silkkv.router.Limits;
import io.silkkv.router.Routing;
import io.silkkv.router.Shard;
import io.silkkv.router.ShardMap;
import io.silkkv.v1.Applied;
import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.Reason;
import io.silkkv.v1.StreamReply;
import io.silkkv.v1.WriteRequest;
import io.silkkv.v1.WriteResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes: from a request to a command in the shard's log, and from its result to the reply. The
 * result arrives on the thread that applies the log, which only builds the small reply and leaves
 * sending it to others. Thread-safe.
 */
final class WritePath {
  private static final Logger LOG = LoggerFactory.getLogger(WritePath.class);

  private final Limits limits;
  private final ShardLocator locator;
  private final ReplicaDirectory replicas;
  private final Forwarder forwarder;
  private final InFlight inFlight;

  WritePath(
      Limits limits,
      ShardLocator locator,
      ReplicaDirectory replicas,
      Forwarder forwarder,
      InFlight inFlight) {
    this.limits = limits;
    this.locator = locator;
    this.replicas = replicas;
    this.forwarder = forwarder;
    this.inFlight = inFlight;
  }

  void write(PendingCall call) {
    WriteRequest request = call.call().getWrite();
    ErrorDetail fault = limits.check(request);
    if (fault == null) {
      fault = Commands.check(request);
    }
    if (fault != null) {
      call.fail(fault);
      return;
    }
    ShardMap map = locator.map();
    ByteString firstKey = Routing.key(request.getMutations(0));
    if (!locator.fits(call, map, map.find(firstKey), firstKey)) {
      return;
    }
    Routing.WriteRoute route = Routing.route(map, request);
    if (route instanceof Routing.WriteRoute.Refused refused) {
      call.fail(refused.error());
    } else if (route instanceof Routing.WriteRoute.InShard inShard) {
      write(call, inShard.shard());
    }
  }

  private void write(PendingCall call, Shard shard) {
    Replica replica = replicas.replica(shard.shardId());
    if (replica == null || !replica.leads()) {
      forwarder.forward(call, shard);
      return;
    }
    if (!inFlight.admit(call)) {
      return;
    }
    var unused =
        replica
            .propose(Commands.of(call.call().getWrite()))
            .whenComplete(
                (result, failure) -> {
                  if (failure == null) {
                    answer(call, result, shard.shardId());
                  } else {
                    refused(call, shard, Failures.unwrap(failure));
                  }
                });
  }

  private static void answer(PendingCall call, CommandResult result, long shardId) {
    if (result instanceof CommandResult.Applied applied) {
      reply(call, WriteResponse.newBuilder().setApplied(true).setVersion(applied.version()));
    } else if (result instanceof CommandResult.ConditionFailed failed) {
      reply(
          call,
          WriteResponse.newBuilder()
              .setFailedCondition(failed.index())
              .setFoundVersion(failed.foundVersion()));
    } else {
      call.fail(
          KvErrors.detail(
              Reason.SESSION_EXPIRED,
              Applied.MAYBE,
              "shard "
                  + shardId
                  + " has forgotten the outcome of sequence "
                  + call.call().getWrite().getSession().getSequence()
                  + " of this client"));
    }
  }

  private static void reply(PendingCall call, WriteResponse.Builder response) {
    call.answer(StreamReply.newBuilder().setWrite(response));
  }

  private void refused(PendingCall call, Shard shard, Throwable failure) {
    if (!(failure instanceof ProposalException refusal)) {
      LOG.warn("Shard {}: a write failed", shard.shardId(), failure);
      call.fail(Failures.internal(call, "a write to shard " + shard.shardId()));
    } else if (refusal.reason() == ProposalException.Reason.NOT_LEADER && !refusal.maybeApplied()) {
      forwarder.forward(call, shard);
    } else {
      call.fail(Failures.of(refusal, call, shard.shardId()));
    }
  }
}
