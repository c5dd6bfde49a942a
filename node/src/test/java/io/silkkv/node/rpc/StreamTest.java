package io.silkkv.node.rpc;

import static io.silkkv.node.rpc.Requests.bytes;
import static io.silkkv.node.rpc.Requests.getCall;
import static io.silkkv.node.rpc.Requests.scan;
import static io.silkkv.node.rpc.Requests.scanCall;
import static io.silkkv.node.rpc.Requests.writeCall;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.silkkv.raftsm.command.CommandResult;
import io.silkkv.v1.Applied;
import io.silkkv.v1.BatchGetRequest;
import io.silkkv.v1.GetRequest;
import io.silkkv.v1.Reason;
import io.silkkv.v1.RequestHeader;
import io.silkkv.v1.StreamCall;
import io.silkkv.v1.StreamReply;
import io.silkkv.v1.WriteRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StreamTest {
  private TestCluster cluster;
  private TestCluster.Node node;

  @BeforeEach
  void start() throws Exception {
    cluster =
        new TestCluster(
            1,
            options ->
                new RequestPathOptions(
                    options.limits(),
                    1,
                    4,
                    100,
                    1_000,
                    1 << 20,
                    options.outboundBytesPerStream(),
                    options.defaultTimeout(),
                    options.pageBytes(),
                    options.maxPageBytes(),
                    options.maxPageEntries(),
                    options.maxPageTime(),
                    options.mapRefresh()));
    node = cluster.node(1);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void aMessageOfGetsThatMemoryAnswersGivesOneMessage() throws Exception {
    cluster.shard(2).engine.put("a", "1");
    TestStream stream = node.stream();
    List<StreamCall> calls = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      calls.add(getCall(i, i % 2 == 0 ? "a" : "missing"));
    }

    stream.send(calls);
    List<StreamReply> replies = stream.next();

    assertThat(replies).hasSize(50);
    assertThat(replies.get(7).getCallId()).isEqualTo(7);
    assertThat(replies.get(7).getGet().getFound()).isFalse();
    assertThat(replies.get(8).getGet().getValue()).isEqualTo(bytes("1"));
  }

  @Test
  void theResultsOfOneLogEntryLeaveTogether() throws Exception {
    Queue<CompletableFuture<CommandResult>> entry = new ConcurrentLinkedQueue<>();
    cluster.shard(2).proposals =
        command -> {
          CompletableFuture<CommandResult> result = new CompletableFuture<>();
          entry.add(result);
          return result;
        };
    TestStream stream = node.stream();
    for (int i = 0; i < 64; i++) {
      stream.send(writeCall(i, "a" + i, "1"));
    }
    await().until(() -> entry.size() == 64);

    // While the loop is busy, as it is under load, completions gather.
    CountDownLatch gate = new CountDownLatch(1);
    node.threads.loops().execute(() -> awaitQuietly(gate));
    entry.forEach(result -> result.complete(new CommandResult.Applied(5)));
    gate.countDown();
    List<StreamReply> replies = stream.next();

    assertThat(replies).hasSize(64);
    assertThat(replies.get(0).getWrite().getVersion()).isEqualTo(5);
  }

  @Test
  void allKindsOfCallsShareAStream() throws Exception {
    TestStream stream = node.stream();

    assertThat(stream.call(writeCall(1, "a", "1")).getWrite().getApplied()).isTrue();
    assertThat(stream.call(writeCall(2, "z", "2")).getWrite().getApplied()).isTrue();
    StreamReply batch =
        stream.call(
            StreamCall.newBuilder()
                .setCallId(3)
                .setBatchGet(BatchGetRequest.newBuilder().addKeys(bytes("z")).addKeys(bytes("a")))
                .build());
    StreamReply page = stream.call(scanCall(4, scan("", "")));

    assertThat(batch.getBatchGet().getValues(0).getValue()).isEqualTo(bytes("2"));
    assertThat(batch.getBatchGet().getValues(1).getValue()).isEqualTo(bytes("1"));
    assertThat(page.getScan().getEntriesList()).hasSize(1);
    assertThat(page.getScan().getMore()).as("a page ends at the shard's edge").isTrue();
    assertThat(page.getScan().getResumeKey()).isEqualTo(bytes("m"));
  }

  @Test
  void aFailedCallDoesNotDisturbTheOthers() throws Exception {
    TestStream stream = node.stream();

    stream.send(getCall(1, ""), StreamCall.newBuilder().setCallId(2).build(), getCall(3, "a"));
    List<StreamReply> replies = stream.next(3);

    assertThat(replies.get(0).getError().getReason()).isEqualTo(Reason.INVALID_ARGUMENT);
    assertThat(replies.get(1).getError().getField()).isEqualTo("call");
    assertThat(replies.get(2).hasGet()).isTrue();
  }

  @Test
  void callsBeyondTheStreamsLimitAreOverloaded() throws Exception {
    List<CompletableFuture<CommandResult>> held = holdProposals();
    TestStream stream = node.stream();
    List<StreamCall> calls = new ArrayList<>();
    for (int i = 0; i < 103; i++) {
      calls.add(writeCall(i, "a", "1"));
    }

    stream.send(calls);
    List<StreamReply> refused = stream.next(3);

    assertThat(refused)
        .allSatisfy(
            reply -> {
              assertThat(reply.getError().getReason()).isEqualTo(Reason.OVERLOADED);
              assertThat(reply.getError().getApplied()).isEqualTo(Applied.NEVER);
              assertThat(reply.getError().getRetryAfterMillis()).isPositive();
              assertThat(reply.getError().getMessage()).contains("100");
            });
    held.forEach(result -> result.complete(new CommandResult.Applied(1)));
    assertThat(stream.next(100)).allMatch(StreamReply::hasWrite);
    assertThat(node.services.callsInFlight()).isZero();
  }

  @Test
  void requestBytesBeyondTheNodesLimitAreOverloaded() throws Exception {
    List<CompletableFuture<CommandResult>> held = holdProposals();
    TestStream stream = node.stream();
    String big = "x".repeat(600 << 10);

    stream.send(writeCall(1, "a", big));
    stream.send(writeCall(2, "a", big));
    StreamReply refused = stream.next(1).get(0);

    assertThat(refused.getCallId()).isEqualTo(2);
    assertThat(refused.getError().getReason()).isEqualTo(Reason.OVERLOADED);
    held.forEach(result -> result.complete(new CommandResult.Applied(1)));
    assertThat(stream.next(1).get(0).getCallId()).isEqualTo(1);
  }

  @Test
  void readsBeyondTheReadQueueAreOverloaded() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    cluster.shard(2).engine.inFiles = true;
    cluster.shard(2).engine.readGate = gate;
    TestStream stream = node.stream();
    List<StreamCall> calls = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      calls.add(getCall(i, "a"));
    }

    stream.send(calls);
    // One thread reads, four reads wait; depending on when the thread starts, five fit.
    List<StreamReply> refused = new ArrayList<>(stream.next());
    while (refused.size() < 5) {
      refused.addAll(stream.next());
    }
    assertThat(refused).allMatch(reply -> reply.getError().getReason() == Reason.OVERLOADED);
    gate.countDown();
    List<StreamReply> served = stream.next(10 - refused.size());

    assertThat(served).allMatch(StreamReply::hasGet);
  }

  @Test
  void aCallThatIsNotAnsweredInTimeFailsHonestly() throws Exception {
    holdProposals();
    TestStream stream = node.stream();
    WriteRequest write =
        Requests.write("a", "1").toBuilder()
            .setHeader(RequestHeader.newBuilder().setTimeoutMillis(40))
            .build();

    StreamReply late = stream.call(StreamCall.newBuilder().setCallId(1).setWrite(write).build());

    assertThat(late.getError().getReason()).isEqualTo(Reason.DEADLINE_EXCEEDED);
    assertThat(late.getError().getApplied()).isEqualTo(Applied.MAYBE);
    assertThat(node.services.callsInFlight()).isZero();
  }

  @Test
  void aReadWhoseDeadlinePassesInTheQueueIsNotRead() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    cluster.shard(2).engine.inFiles = true;
    cluster.shard(2).engine.readGate = gate;
    TestStream stream = node.stream();
    stream.send(getCall(1, "a"));
    await().untilAtomic(cluster.shard(2).engine.fileReads, org.hamcrest.Matchers.equalTo(1));
    GetRequest hasty =
        Requests.get("a").toBuilder()
            .setHeader(RequestHeader.newBuilder().setTimeoutMillis(40))
            .build();

    StreamReply late = stream.call(StreamCall.newBuilder().setCallId(2).setGet(hasty).build());
    gate.countDown();

    assertThat(late.getCallId()).isEqualTo(2);
    assertThat(late.getError().getReason()).isEqualTo(Reason.DEADLINE_EXCEEDED);
    assertThat(late.getError().getApplied()).isEqualTo(Applied.NEVER);
    assertThat(stream.next(1).get(0).getCallId()).isEqualTo(1);
    assertThat(cluster.shard(2).engine.fileReads).hasValue(1);
  }

  @Test
  void theStreamEndsAfterTheLastReplyWhenTheClientHasNothingMore() throws Exception {
    List<CompletableFuture<CommandResult>> held = holdProposals();
    TestStream stream = node.stream();
    stream.send(writeCall(1, "a", "1"));
    stream.halfClose();
    await().until(() -> held.size() == 1);

    held.get(0).complete(new CommandResult.Applied(1));

    assertThat(stream.next(1).get(0).hasWrite()).isTrue();
    stream.awaitEnd();
  }

  @Test
  void resultsForAClientThatWentAwayAreDropped() throws Exception {
    List<CompletableFuture<CommandResult>> held = holdProposals();
    TestStream stream = node.stream();
    stream.send(writeCall(1, "a", "1"));
    await().until(() -> held.size() == 1);
    stream.cancel();

    held.get(0).complete(new CommandResult.Applied(1));

    await().until(() -> node.services.callsInFlight() == 0);
    assertThat(node.stream().call(getCall(1, "b")).hasGet()).isTrue();
  }

  @Test
  void aReplicasWordOfAnUnknownOutcomeOrAnExpiredSessionIsPassedOn() throws Exception {
    cluster.shard(2).proposals =
        command -> CompletableFuture.completedFuture(new CommandResult.SessionExpired());

    StreamReply expired = node.stream().call(writeCall(1, "a", "1"));

    assertThat(expired.getError().getReason()).isEqualTo(Reason.SESSION_EXPIRED);
    assertThat(expired.getError().getApplied()).isEqualTo(Applied.MAYBE);
  }

  @Test
  void anUnexpectedFailureIsInternalAndSaysMaybe() throws Exception {
    cluster.shard(2).proposals =
        command -> CompletableFuture.failedFuture(new IllegalStateException("bug"));

    StreamReply reply = node.stream().call(writeCall(1, "a", "1"));

    assertThat(reply.getError().getReason()).isEqualTo(Reason.INTERNAL);
    assertThat(reply.getError().getApplied()).isEqualTo(Applied.MAYBE);
    assertThat(reply.getError().getMessage()).doesNotContain("bug");
  }

  @Test
  void aFaultInOneCallLeavesTheStreamAlone() throws Exception {
    cluster.shard(2).proposals =
        command -> {
          throw new IllegalStateException("bug");
        };
    TestStream stream = node.stream();

    StreamReply reply = stream.call(writeCall(1, "a", "1"));

    assertThat(reply.getError().getReason()).isEqualTo(Reason.INTERNAL);
    assertThat(reply.getError().getApplied()).isEqualTo(Applied.MAYBE);
    assertThat(stream.call(getCall(2, "a")).hasGet()).isTrue();
    assertThat(node.services.callsInFlight()).isZero();
  }

  @Test
  void aLeaderWithoutLeaseReadsAfterABarrier() throws Exception {
    CompletableFuture<Void> barrier = new CompletableFuture<>();
    cluster.shard(2).lease = false;
    cluster.shard(2).barrier = barrier;
    cluster.shard(2).engine.put("a", "old");
    TestStream stream = node.stream();
    stream.send(getCall(1, "a"));
    await().until(() -> node.services.callsInFlight() == 1);

    cluster.shard(2).engine.put("a", "new");
    barrier.complete(null);

    assertThat(stream.next(1).get(0).getGet().getValue()).isEqualTo(bytes("new"));
  }

  private List<CompletableFuture<CommandResult>> holdProposals() {
    List<CompletableFuture<CommandResult>> held =
        java.util.Collections.synchronizedList(new ArrayList<>());
    cluster.shard(2).proposals =
        command -> {
          CompletableFuture<CommandResult> result = new CompletableFuture<>();
          held.add(result);
          return result;
        };
    return held;
  }

  private static void awaitQuietly(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
