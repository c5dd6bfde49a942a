package io.silkkv.raftsm.transport;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
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
   * A follower's last contact with its leader.
   *
   * @param leader peer id of the leader
   * @param ago how long ago the leader's last request came
   */
  record Contact(String leader, Duration ago) {
    /** What a division knows; null when it follows nobody. */
    static @Nullable Contact of(RaftServer.@Nullable Division division) {
      if (division == null || !division.getInfo().isFollower()) {
        return null;
      }
      ServerRpcProto leader =
          division.getInfo().getRoleInfoProto().getFollowerInfo().getLeaderInfo();
      return leader.getId().getId().isEmpty()
          ? null
          : new Contact(
              leader.getId().getId().toStringUtf8(),
              Duration.ofMillis(leader.getLastRpcElapsedTimeMs()));
    }
  }

  private final Function<RaftGroupId, @Nullable Contact> contacts;
  private final Duration promise;
  private final LongSupplier nanoTime;
  private final long startedAt;

  /**
   * @param contacts finds this node's last contact with the leader of a group; null when it follows
   *     nobody there
   * @param promise the shortest election timeout
   */
  VoteGuard(
      Function<RaftGroupId, @Nullable Contact> contacts, Duration promise, LongSupplier nanoTime) {
    this.contacts = contacts;
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
    Contact contact = contacts.apply(group);
    String candidate = request.getServerRequest().getRequestorId().toStringUtf8();
    if (contact == null
        || contact.leader.equals(candidate)
        || contact.ago.compareTo(promise) >= 0) {
      return null;
    }
    String reason =
        "this voter heard from leader " + contact.leader + " " + contact.ago.toMillis() + " ms ago";
    LOG.info("{}: no vote for term {}: {}", group, request.getCandidateTerm(), reason);
    return reason;
  }
}
