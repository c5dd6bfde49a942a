package io.silkkv.raftsm.transport;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a voter's promise to the leader whose request it accepted: no vote for anybody else until
 * the shortest election timeout has passed. The library keeps it in the trial round (pre-vote)
 * only; a candidate that passed the trial and was then held up could still be elected under a live
 * lease. A voter that restarts forgets whom it acknowledged, so it does not vote before a full
 * timeout has passed since its start.
 *
 * <p>An ordered hand-over of leadership needs the old leader's vote, which is not guarded; in
 * groups of more than three the other voters may hold it up for one election timeout.
 *
 * <p>Also refuses the library's client and administration calls, which share the port: everything
 * of that kind is called inside the process.
 */
final class VoteGuard implements ServerInterceptor {
  private static final Logger LOG = LoggerFactory.getLogger(VoteGuard.class);

  /**
   * A leader's last request.
   *
   * @param leader peer id of the leader
   * @param at when it came, by the nano clock
   */
  private record Heard(String leader, long at) {}

  private final Duration promise;
  private final LongSupplier nanoTime;
  private final long startedAt;

  /**
   * By group. The library's own time of last contact does not serve: it also moves when a trial
   * vote is given, and a candidate that keeps trying would then be refused for ever.
   */
  private final ConcurrentMap<RaftGroupId, Heard> heard = new ConcurrentHashMap<>();

  /**
   * @param promise the shortest election timeout
   */
  VoteGuard(Duration promise, LongSupplier nanoTime) {
    this.promise = promise;
    this.nanoTime = nanoTime;
    this.startedAt = nanoTime.getAsLong();
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    String service = call.getMethodDescriptor().getServiceName();
    if (!RaftServerProtocolServiceGrpc.SERVICE_NAME.equals(service)) {
      call.close(
          Status.PERMISSION_DENIED.withDescription("this port is for Raft peers only"),
          new Metadata());
      return new ServerCall.Listener<>() {};
    }
    String method = call.getMethodDescriptor().getFullMethodName();
    if (!method.equals(RaftServerProtocolServiceGrpc.getRequestVoteMethod().getFullMethodName())) {
      return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
        @Override
        public void onMessage(Q message) {
          listen(message);
          super.onMessage(message);
        }
      };
    }
    return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
      private boolean refused;

      @Override
      public void onMessage(Q message) {
        String reason = message instanceof RequestVoteRequestProto v ? refusal(v) : null;
        if (reason == null) {
          super.onMessage(message);
        } else {
          refused = true;
          call.close(Status.UNAVAILABLE.withDescription(reason), new Metadata());
        }
      }

      @Override
      public void onHalfClose() {
        if (!refused) {
          super.onHalfClose();
        }
      }
    };
  }

  /** Why the vote must not be given now; null when it may be considered. */
  @Nullable String refusal(RequestVoteRequestProto request) {
    if (nanoTime.getAsLong() - startedAt < promise.toNanos()) {
      return "this voter has just started and waits for leases that it may have granted before";
    }
    if (request.getPreVote()) {
      return null;
    }
    RaftGroupId group = group(request.getServerRequest());
    Heard last = heard.get(group);
    if (last == null
        || last.leader.equals(request.getServerRequest().getRequestorId().toStringUtf8())) {
      return null;
    }
    long ago = nanoTime.getAsLong() - last.at;
    if (ago >= promise.toNanos()) {
      return null;
    }
    String reason =
        "this voter heard from leader "
            + last.leader
            + " "
            + TimeUnit.NANOSECONDS.toMillis(ago)
            + " ms ago";
    LOG.info("{}: no vote for term {}: {}", group, request.getCandidateTerm(), reason);
    return reason;
  }

  /** Notes who leads. Before the library answers, so never later than the leader counts on it. */
  private void listen(Object message) {
    if (message instanceof AppendEntriesRequestProto append) {
      note(append.getServerRequest());
    } else if (message instanceof InstallSnapshotRequestProto install) {
      note(install.getServerRequest());
    }
  }

  private void note(RaftRpcRequestProto request) {
    heard.put(
        group(request), new Heard(request.getRequestorId().toStringUtf8(), nanoTime.getAsLong()));
  }

  private static RaftGroupId group(RaftRpcRequestProto request) {
    return RaftGroupId.valueOf(request.getRaftGroupId().getId());
  }
}
