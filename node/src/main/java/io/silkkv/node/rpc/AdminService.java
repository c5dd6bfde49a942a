package io.silkkv.node.rpc;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.silkkv.node.shard.Replica;
import io.silkkv.node.shard.ReplicaDirectory;
import io.silkkv.node.shard.ShardMapHolder;
import io.silkkv.raftsm.ProposalException;
import io.silkkv.raftsm.ReplicaState;
import io.silkkv.router.KvErrors;
import io.silkkv.router.ReplicaRef;
import io.silkkv.router.Shard;
import io.silkkv.router.ShardMap;
import io.silkkv.v1.AdminGrpc;
import io.silkkv.v1.Applied;
import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.FlushRequest;
import io.silkkv.v1.FlushResponse;
import io.silkkv.v1.GetNodeStatusRequest;
import io.silkkv.v1.GetShardMapRequest;
import io.silkkv.v1.GetShardMapResponse;
import io.silkkv.v1.NodeStatus;
import io.silkkv.v1.Reason;
import io.silkkv.v1.ShardLeader;
import io.silkkv.v1.TransferLeadershipRequest;
import io.silkkv.v1.TransferLeadershipResponse;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code silkkv.v1.Admin}: what this node knows and does itself. Nothing is forwarded: an operator
 * who asks a node means that node, and the errors name the right one.
 */
final class AdminService extends AdminGrpc.AdminImplBase {
  private static final Logger LOG = LoggerFactory.getLogger(AdminService.class);

  private final String nodeId;
  private final ReplicaDirectory replicas;
  private final ShardMapHolder maps;
  private final StatusReport status;

  AdminService(String nodeId, ReplicaDirectory replicas, ShardMapHolder maps, StatusReport status) {
    this.nodeId = nodeId;
    this.replicas = replicas;
    this.maps = maps;
    this.status = status;
  }

  @Override
  public void getShardMap(GetShardMapRequest request, StreamObserver<GetShardMapResponse> out) {
    if (!maps.confirmed()) {
      out.onError(KvErrors.toStatus(Failures.mapNotLoaded(nodeId)));
      return;
    }
    ShardMap map = maps.map();
    GetShardMapResponse.Builder response = GetShardMapResponse.newBuilder();
    if (map.version() != request.getKnownVersion()) {
      response.setMap(map.toProto());
    }
    for (Replica replica : replicas.replicas()) {
      ShardLeader leader = leader(map, replica);
      if (leader != null) {
        response.addLeaders(leader);
      }
    }
    out.onNext(response.build());
    out.onCompleted();
  }

  private static @Nullable ShardLeader leader(ShardMap map, Replica replica) {
    ReplicaState state = replica.state();
    String node = StatusReport.leaderNode(map, replica.shardId(), state);
    return node.isEmpty()
        ? null
        : ShardLeader.newBuilder()
            .setShardId(replica.shardId())
            .setNodeId(node)
            .setTerm(state.term())
            .build();
  }

  @Override
  public void getNodeStatus(GetNodeStatusRequest request, StreamObserver<NodeStatus> out) {
    out.onNext(status.now());
    out.onCompleted();
  }

  @Override
  public void transferLeadership(
      TransferLeadershipRequest request, StreamObserver<TransferLeadershipResponse> out) {
    ShardMap map = maps.map();
    Shard shard = map.byId(request.getShardId());
    Replica replica = replicas.replica(request.getShardId());
    if (shard == null || replica == null) {
      out.onError(KvErrors.toStatus(notOnThisNode(request.getShardId())));
      return;
    }
    ReplicaRef target = shard.replicaOn(request.getTargetNodeId());
    if (target == null) {
      List<String> nodes = shard.replicas().stream().map(ReplicaRef::nodeId).toList();
      out.onError(
          KvErrors.toStatus(
              Failures.badField(
                  "target_node_id",
                  "shard "
                      + shard.shardId()
                      + " has no replica on node '"
                      + request.getTargetNodeId()
                      + "'; it has on "
                      + nodes)));
      return;
    }
    if (!replica.leads()) {
      String leader = StatusReport.leaderNode(map, shard.shardId(), replica.state());
      out.onError(
          KvErrors.toStatus(KvErrors.notLeader(shard.shardId(), leader.isEmpty() ? null : leader)));
      return;
    }
    answerWhenDone(
        replica.transferLeadership(target.peerId()),
        out,
        TransferLeadershipResponse.getDefaultInstance(),
        "moving the leadership of shard " + shard.shardId());
  }

  @Override
  public void flush(FlushRequest request, StreamObserver<FlushResponse> out) {
    Collection<Replica> chosen;
    if (request.getShardId() == 0) {
      chosen = replicas.replicas();
    } else {
      Replica replica = replicas.replica(request.getShardId());
      if (replica == null) {
        out.onError(KvErrors.toStatus(notOnThisNode(request.getShardId())));
        return;
      }
      chosen = List.of(replica);
    }
    List<CompletableFuture<?>> flushes = new ArrayList<>();
    for (Replica replica : chosen) {
      flushes.add(replica.flush());
    }
    answerWhenDone(
        CompletableFuture.allOf(flushes.toArray(CompletableFuture<?>[]::new)),
        out,
        FlushResponse.getDefaultInstance(),
        "a flush");
  }

  private static <R> void answerWhenDone(
      CompletableFuture<?> work, StreamObserver<R> out, R response, String what) {
    // With a handler, what is sent to a client that went away is dropped instead of thrown.
    ((ServerCallStreamObserver<R>) out).setOnCancelHandler(() -> {});
    var unused =
        work.whenComplete(
            (done, failure) -> {
              if (failure == null) {
                out.onNext(response);
                out.onCompleted();
              } else {
                out.onError(KvErrors.toStatus(failed(Failures.unwrap(failure), what)));
              }
            });
  }

  private static ErrorDetail failed(Throwable failure, String what) {
    if (failure instanceof ProposalException refusal) {
      return KvErrors.detail(
          Reason.UNAVAILABLE, Applied.MAYBE, what + " failed: " + refusal.getMessage());
    }
    LOG.warn("{} failed", what, failure);
    return KvErrors.detail(
        Reason.INTERNAL, Applied.MAYBE, what + " failed on this node; see its log");
  }

  private ErrorDetail notOnThisNode(long shardId) {
    Shard elsewhere = maps.map().byId(shardId);
    return KvErrors.withCurrentShards(
        KvErrors.badField(
            Reason.SHARD_NOT_FOUND,
            "shard_id",
            "node " + nodeId + " has no replica of shard " + shardId),
        elsewhere == null ? List.of() : List.of(elsewhere));
  }
}
