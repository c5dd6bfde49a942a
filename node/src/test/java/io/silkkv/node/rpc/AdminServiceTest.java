package io.silkkv.node.rpc;

import static io.silkkv.node.rpc.Requests.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.StreamObserver;
import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.FlushRequest;
import io.silkkv.v1.GetNodeStatusRequest;
import io.silkkv.v1.GetShardMapRequest;
import io.silkkv.v1.GetShardMapResponse;
import io.silkkv.v1.NodeStatus;
import io.silkkv.v1.Reason;
import io.silkkv.v1.ReplicaStatus;
import io.silkkv.v1.ShardLeader;
import io.silkkv.v1.TransferLeadershipRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AdminServiceTest {
  private TestCluster cluster;

  @BeforeEach
  void start() throws Exception {
    cluster = TestCluster.of(2);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void theShardMapComesWithTheLeaders() {
    GetShardMapResponse response =
        cluster.node(2).admin().getShardMap(GetShardMapRequest.getDefaultInstance());

    assertThat(response.getMap()).isEqualTo(cluster.map.toProto());
    assertThat(response.getLeadersList())
        .extracting(ShardLeader::getNodeId)
        .containsExactly("n1", "n1", "n2");
  }

  @Test
  void aKnownMapIsNotSentAgain() {
    GetShardMapResponse response =
        cluster
            .node(1)
            .admin()
            .getShardMap(
                GetShardMapRequest.newBuilder().setKnownVersion(cluster.map.version()).build());

    assertThat(response.hasMap()).isFalse();
    assertThat(response.getLeadersCount()).isEqualTo(3);
  }

  @Test
  void theStatusShowsEveryReplica() {
    NodeStatus status =
        cluster.node(1).admin().getNodeStatus(GetNodeStatusRequest.getDefaultInstance());

    assertThat(status.getNodeId()).isEqualTo("n1");
    assertThat(status.getIo().getPolicy()).isEqualTo("silk:budget=100");
    assertThat(status.getIo().getClientRate()).isEqualTo(60);
    assertThat(status.getIo().getInternalRate()).isEqualTo(40);
    assertThat(status.getIo().getClassesList())
        .singleElement()
        .satisfies(
            deep -> {
              assertThat(deep.getName()).isEqualTo("DEEP");
              assertThat(deep.getWaitedMicros()).isEqualTo(7);
            });
    assertThat(status.getReady()).isTrue();
    assertThat(status.getShardMapVersion()).isEqualTo(2);
    assertThat(status.getReplicasList())
        .extracting(ReplicaStatus::getRole)
        .containsExactly("LEADER", "LEADER", "FOLLOWER");
    ReplicaStatus replica = status.getReplicas(2);
    assertThat(replica.getShardId()).isEqualTo(3);
    assertThat(replica.getLeaderNodeId()).isEqualTo("n2");
    assertThat(replica.getAppliedIndex()).isEqualTo(29);
    assertThat(replica.getFlushedIndex()).isEqualTo(20);
    assertThat(replica.getLogStartIndex()).isEqualTo(10);
    assertThat(replica.getLevels(0).getBytes()).isEqualTo(100);
  }

  @Test
  void leadershipMoves() {
    cluster.node(1).admin().transferLeadership(transfer(2, "n2"));

    assertThat(cluster.shard(2).transfers).containsExactly("n2");
  }

  @Test
  void onlyTheLeaderMovesLeadershipAndOthersNameIt() {
    ErrorDetail error =
        errorOf(() -> cluster.node(2).admin().transferLeadership(transfer(2, "n2")));

    assertThat(error.getReason()).isEqualTo(Reason.NOT_LEADER);
    assertThat(error.getLeaderNodeId()).isEqualTo("n1");
  }

  @Test
  void aTargetWithoutReplicaIsRefusedWithThoseThatHaveOne() {
    ErrorDetail error =
        errorOf(() -> cluster.node(1).admin().transferLeadership(transfer(2, "n9")));

    assertThat(error.getReason()).isEqualTo(Reason.INVALID_ARGUMENT);
    assertThat(error.getField()).isEqualTo("target_node_id");
    assertThat(error.getMessage()).contains("n9").contains("n1").contains("n2");
  }

  @Test
  void anUnknownShardIsNotFound() {
    assertThat(
            errorOf(() -> cluster.node(1).admin().transferLeadership(transfer(50, "n1")))
                .getReason())
        .isEqualTo(Reason.SHARD_NOT_FOUND);
    assertThat(
            errorOf(
                    () ->
                        cluster
                            .node(1)
                            .admin()
                            .flush(FlushRequest.newBuilder().setShardId(50).build()))
                .getReason())
        .isEqualTo(Reason.SHARD_NOT_FOUND);
  }

  @Test
  void aFlushReachesOneReplicaOrAll() {
    cluster.node(1).admin().flush(FlushRequest.newBuilder().setShardId(3).build());
    assertThat(cluster.shard(3).flushes).hasValue(1);
    assertThat(cluster.shard(2).flushes).hasValue(0);

    cluster.node(1).admin().flush(FlushRequest.getDefaultInstance());
    assertThat(cluster.shard(3).flushes).hasValue(2);
    assertThat(cluster.shard(2).flushes).hasValue(1);
  }

  @Test
  void reflectionListsTheServices() throws Exception {
    CompletableFuture<ServerReflectionResponse> answer = new CompletableFuture<>();
    StreamObserver<ServerReflectionRequest> request =
        ServerReflectionGrpc.newStub(cluster.node(1).client)
            .serverReflectionInfo(
                new StreamObserver<>() {
                  @Override
                  public void onNext(ServerReflectionResponse response) {
                    answer.complete(response);
                  }

                  @Override
                  public void onError(Throwable failure) {
                    answer.completeExceptionally(failure);
                  }

                  @Override
                  public void onCompleted() {}
                });
    request.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
    List<ServiceResponse> services =
        answer
            .get(TestCluster.TIMEOUT_SECONDS, TimeUnit.SECONDS)
            .getListServicesResponse()
            .getServiceList();
    request.onCompleted();

    assertThat(services)
        .extracting(ServiceResponse::getName)
        .contains("silkkv.v1.Kv", "silkkv.v1.Admin", "grpc.health.v1.Health");
  }

  private static TransferLeadershipRequest transfer(long shardId, String node) {
    return TransferLeadershipRequest.newBuilder().setShardId(shardId).setTargetNodeId(node).build();
  }
}
