package io.silkkv.node.rpc;

import static io.silkkv.node.rpc.Requests.errorOf;
import static io.silkkv.node.rpc.Requests.get;
import static io.silkkv.node.rpc.Requests.getCall;
import static io.silkkv.node.rpc.Requests.write;
import static io.silkkv.node.rpc.Requests.writeCall;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.silkkv.raftsm.command.CommandResult;
import io.silkkv.v1.Applied;
import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.Reason;
import io.silkkv.v1.StreamReply;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ShutdownTest {
  private TestCluster cluster;
  private TestCluster.Node node;
  private final List<CompletableFuture<CommandResult>> held = new CopyOnWriteArrayList<>();

  @BeforeEach
  void start() throws Exception {
    cluster = TestCluster.of(1);
    node = cluster.node(1);
    cluster.shard(2).proposals =
        command -> {
          CompletableFuture<CommandResult> result = new CompletableFuture<>();
          held.add(result);
          return result;
        };
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void newCallsAreRefusedAndOldOnesFinish() throws Exception {
    TestStream stream = node.stream();
    stream.send(writeCall(1, "a", "1"));
    await().until(() -> held.size() == 1);

    node.services.beginShutdown();
    ErrorDetail write = errorOf(() -> node.kv().write(write("a", "2")));
    ErrorDetail read = errorOf(() -> node.kv().get(get("a")));
    StreamReply refused = stream.call(getCall(2, "a"));
    held.get(0).complete(new CommandResult.Applied(3));

    assertThat(write.getReason()).isEqualTo(Reason.SHUTTING_DOWN);
    assertThat(write.getApplied()).isEqualTo(Applied.NEVER);
    assertThat(read.getReason()).isEqualTo(Reason.SHUTTING_DOWN);
    assertThat(refused.getError().getReason()).isEqualTo(Reason.SHUTTING_DOWN);
    assertThat(stream.next(1).get(0).getWrite().getVersion()).isEqualTo(3);
  }

  @Test
  void whatIsStillInFlightAtTheEndMayHaveBeenApplied() throws Exception {
    TestStream stream = node.stream();
    stream.send(writeCall(1, "a", "1"));
    await().until(() -> held.size() == 1);

    node.services.close();
    StreamReply reply = stream.next(1).get(0);

    assertThat(reply.getError().getReason()).isEqualTo(Reason.SHUTTING_DOWN);
    assertThat(reply.getError().getApplied()).isEqualTo(Applied.MAYBE);
    assertThat(node.services.callsInFlight()).isZero();
  }

  @Test
  void theHealthServiceFollows() {
    assertThat(health()).isEqualTo(ServingStatus.SERVING);

    node.services.beginShutdown();

    assertThat(health()).isEqualTo(ServingStatus.NOT_SERVING);
  }

  @Test
  void theHealthServiceSaysNotServingWithoutAMap() throws Exception {
    try (TestCluster.Node waiting = cluster.new Node("n1", cluster.map, TestCluster.options())) {
      assertThat(
              HealthGrpc.newBlockingStub(waiting.client)
                  .check(HealthCheckRequest.getDefaultInstance())
                  .getStatus())
          .isEqualTo(ServingStatus.NOT_SERVING);
    }
  }

  private ServingStatus health() {
    return HealthGrpc.newBlockingStub(node.client)
        .check(HealthCheckRequest.getDefaultInstance())
        .getStatus();
  }
}
