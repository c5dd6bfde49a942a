package io.silkkv.raftsm.transport;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.ratis.proto.RaftProtos.FollowerInfoProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
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

  private final Function<RaftGroupId, RaftServer.@Nullable Division> divisions;
  private final Duration promise;
  private final LongSupplier nanoTime;
  private final long startedAt;

  /**
   * @param divisions the running groups of this node; null for an unknown one
   * @param promise the shortest election timeout
   */
  VoteGuard(
      Function<RaftGroupId, RaftServer.@Nullable Division> divisions,
      Duration promise,
      LongSupplier nanoTime) {
    this.divisions = divisions;
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
    if (!call.getMethodDescriptor()
        .getFullMethodName()
        .equals(RaftServerProtocolServiceGrpc.getRequestVoteMethod().getFullMethodName())) {
      return next.startCall(call, headers);
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
    RaftGroupId group = RaftGroupId.valueOf(request.getServerRequest().getRaftGroupId().getId());
    RaftServer.Division division = divisions.apply(group);
    if (division == null || !division.getInfo().isFollower()) {
      return null;
    }
    String reason =
        refusal(division.getInfo().getRoleInfoProto(), request.getServerRequest().getRequestorId());
    if (reason != null) {
      LOG.info("{}: no vote for term {}: {}", group, request.getCandidateTerm(), reason);
    }
    return reason;
  }

  private @Nullable String refusal(RoleInfoProto role, ByteString candidate) {
    FollowerInfoProto follower = role.getFollowerInfo();
    ByteString leader = follower.getLeaderInfo().getId().getId();
    long silentMillis = follower.getLeaderInfo().getLastRpcElapsedTimeMs();
    if (leader.isEmpty() || leader.equals(candidate) || silentMillis >= promise.toMillis()) {
      return null;
    }
    return "this voter heard from leader " + leader.toStringUtf8() + " " + silentMillis + " ms ago";
  }
}
