package io.silkkv.node.rpc;

import static io.silkkv.node.rpc.Requests.bytes;
import static io.silkkv.node.rpc.Requests.errorOf;
import static io.silkkv.node.rpc.Requests.get;
import static io.silkkv.node.rpc.Requests.getCall;
import static io.silkkv.node.rpc.Requests.header;
import static io.silkkv.node.rpc.Requests.write;
import static io.silkkv.node.rpc.Requests.writeCall;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.silkkv.node.shard.FakeShard;
import io.silkkv.raftsm.Refusals;
import io.silkkv.raftsm.command.CommandResult;
import io.silkkv.v1.Applied;
import io.silkkv.v1.BatchGetRequest;
import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.GetRequest;
import io.silkkv.v1.Reason;
import io.silkkv.v1.RequestHeader;
import io.silkkv.v1.StreamCall;
import io.silkkv.v1.StreamReply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Shard 2 is led by n1, shard 3 by n3. */
class ForwardingTest {
  private TestCluster cluster;

  @BeforeEach
  void start() throws Exception {
    cluster = TestCluster.of(3);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void anyNodeServesEveryKey() {
    for (int node = 1; node <= 3; node++) {
      String key = "k" + node;
      assertThat(cluster.node(node).kv().write(write(key, "low")).getApplied()).isTrue();
      assertThat(cluster.node(node).kv().write(write("z" + key, "high")).getApplied()).isTrue();
      assertThat(cluster.node(node).kv().get(get(key)).getValue()).isEqualTo(bytes("low"));
      assertThat(cluster.node(node).kv().get(get("z" + key)).getValue()).isEqualTo(bytes("high"));
    }
  }

  @Test
  void aNodeWithoutAReplicaForwards() {
    cluster.node(2).replicas.remove(3);

    assertThat(cluster.node(2).kv().write(write("z", "1")).getApplied()).isTrue();
    assertThat(cluster.node(2).kv().get(get("z")).getValue()).isEqualTo(bytes("1"));
  }

  @Test
  void aBatchGetGathersFromSeveralNodes() {
    cluster.shard(2).engine.put("a", "1");
    cluster.shard(3).engine.put("z", "2");
    BatchGetRequest request =
        BatchGetRequest.newBuilder().addKeys(bytes("z")).addKeys(bytes("a")).build();

    for (int node = 1; node <= 3; node++) {
      assertThat(cluster.node(node).kv().batchGet(request).getValuesList())
          .extracting(value -> value.getValue().toStringUtf8())
          .containsExactly("2", "1");
    }
  }

  @Test
  void theCallersEpochIsCheckedByTheLeaderToo() {
    GetRequest request = get("z").toBuilder().setHeader(header(cluster.routing(3))).build();

    assertThat(cluster.node(1).kv().get(request).getFound()).isFalse();
  }

  @Test
  void manyForwardedCallsOfAStreamAreAnswered() throws Exception {
    TestStream stream = cluster.node(1).stream();
    List<StreamCall> calls = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      calls.add(i % 3 == 0 ? writeCall(i, "z" + i, "v") : getCall(i, "z" + i));
    }

    stream.send(calls);
    List<StreamReply> replies = stream.next(300);

    assertThat(replies).noneMatch(StreamReply::hasError);
    assertThat(replies).extracting(StreamReply::getCallId).doesNotHaveDuplicates();
    assertThat(cluster.node(1).services.callsInFlight()).isZero();
  }

  @Test
  void nodesThatDisagreeAboutTheLeaderGiveUpAfterTwoHops() {
    // n1 and n3 believe in n2, and n2 believes in n1.
    cluster.shard(3).leader = "n2";
    FakeShard believesInN1 = new FakeShard(3);
    believesInN1.leader = "n1";
    cluster.node(2).replicas.add(believesInN1.on("n2"));

    ErrorDetail error = errorOf(() -> cluster.node(1).kv().get(get("z")));

    assertThat(error.getReason()).isEqualTo(Reason.TOO_MANY_HOPS);
    assertThat(error.getApplied()).isEqualTo(Applied.NEVER);
    assertThat(error.getRetryAfterMillis()).isPositive();
  }

  @Test
  void aCallThatWasForwardedTwiceIsNotForwardedAgain() {
    GetRequest request =
        get("z").toBuilder().setHeader(RequestHeader.newBuilder().setHops(2)).build();

    assertThat(errorOf(() -> cluster.node(1).kv().get(request)).getReason())
        .isEqualTo(Reason.TOO_MANY_HOPS);
  }

  @Test
  void aReplicaThatJustLostLeadershipForwardsAWriteItDidNotTake() throws Exception {
    // n1 believes to lead shard 3; its proposal is refused with the name of the real leader.
    cluster.node(1).replicas.add(cluster.shard(3).believingToLead("n1"));
    cluster.shard(3).lease = false;
    List<Integer> attempts = new ArrayList<>();
    cluster.shard(3).proposals =
        command -> {
          attempts.add(1);
          return attempts.size() == 1
              ? CompletableFuture.failedFuture(Refusals.notLeader("n3"))
              : CompletableFuture.completedFuture(new CommandResult.Applied(9));
        };

    StreamReply reply = cluster.node(1).stream().call(writeCall(1, "z", "1"));

    assertThat(reply.getWrite().getVersion()).isEqualTo(9);
    assertThat(attempts).hasSize(2);
  }

  @Test
  void aLeaderThatCannotBeReachedIsNamed() {
    cluster.node(3).close();

    ErrorDetail error = errorOf(() -> cluster.node(1).kv().write(write("z", "1")));

    assertThat(error.getReason()).isEqualTo(Reason.NOT_LEADER);
    assertThat(error.getLeaderNodeId()).isEqualTo("n3");
    assertThat(error.getApplied()).isEqualTo(Applied.NEVER);
  }

  @Test
  void aForwardedWriteWhoseConnectionBreaksMayHaveBeenApplied() throws Exception {
    List<CompletableFuture<CommandResult>> held = new ArrayList<>();
    cluster.shard(3).proposals =
        command -> {
          CompletableFuture<CommandResult> never = new CompletableFuture<>();
          held.add(never);
          return never;
        };
    TestStream stream = cluster.node(1).stream();
    stream.send(writeCall(1, "z", "1"), getCall(2, "a"));
    assertThat(stream.next(1).get(0).getCallId()).isEqualTo(2);
    await().until(() -> held.size() == 1);

    cluster.node(3).endpoint.close();
    StreamReply lost = stream.next(1).get(0);

    assertThat(lost.getCallId()).isEqualTo(1);
    assertThat(lost.getError().getReason()).isEqualTo(Reason.UNAVAILABLE);
    assertThat(lost.getError().getApplied()).isEqualTo(Applied.MAYBE);
  }

  @Test
  void aForwardedCallKeepsTheCallersDeadline() throws Exception {
    cluster.shard(3).proposals = command -> new CompletableFuture<>();
    StreamCall call =
        StreamCall.newBuilder()
            .setCallId(1)
            .setWrite(
                write("z", "1").toBuilder()
                    .setHeader(RequestHeader.newBuilder().setTimeoutMillis(60)))
            .build();

    StreamReply late = cluster.node(1).stream().call(call);

    assertThat(late.getError().getReason()).isEqualTo(Reason.DEADLINE_EXCEEDED);
    assertThat(late.getError().getApplied()).isEqualTo(Applied.MAYBE);
    await().until(() -> cluster.node(3).services.callsInFlight() == 0);
    assertThat(cluster.node(1).services.callsInFlight()).isZero();
  }

  @Test
  void theEndOfTheCallThatOpenedTheConnectionDoesNotEndTheOthers() throws Exception {
    // The first, unary call opens the stream to n3 and ends; later calls use the same one.
    cluster.node(1).kv().get(get("z"));
    List<CompletableFuture<CommandResult>> held = new ArrayList<>();
    cluster.shard(3).proposals =
        command -> {
          CompletableFuture<CommandResult> result = new CompletableFuture<>();
          held.add(result);
          return result;
        };
    TestStream stream = cluster.node(1).stream();
    stream.send(writeCall(1, "z", "1"));
    await().until(() -> held.size() == 1);
    cluster.node(1).kv().get(get("z"));

    held.get(0).complete(new CommandResult.Applied(4));

    assertThat(stream.next(1).get(0).getWrite().getVersion()).isEqualTo(4);
  }
}
