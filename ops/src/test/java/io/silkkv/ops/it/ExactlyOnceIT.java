package io.silkkv.ops.it;

import static io.silkkv.ops.it.TestCluster.DATA_SHARD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import io.grpc.StatusRuntimeException;
import io.silkkv.router.KvErrors;
import io.silkkv.v1.Applied;
import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.Mutation;
import io.silkkv.v1.Reason;
import io.silkkv.v1.ReplicaStatus;
import io.silkkv.v1.WriteRequest;
import io.silkkv.v1.WriteResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Writes that arrive twice count once, and followers that were away too long come back. One cluster
 * with a short log and small memtables for all tests.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExactlyOnceIT {
  private static final int INCREMENTS = 40;

  private TestCluster cluster;
  private RawCalls calls;

  @BeforeAll
  void start(@TempDir Path dir) throws Exception {
    cluster =
        TestCluster.start(
            dir.resolve("cluster"),
            1,
            List.of("raft.keep-log-entries=10", "engine.memtable-bytes=1MiB"));
    calls = new RawCalls(cluster);
  }

  @AfterAll
  void stop() throws IOException {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** A counter that is only ever set from n to n + 1, every step delivered more than once. */
  @Test
  void aCounterIsExactThoughEveryWriteArrivesTwice() throws Exception {
    UUID client = UUID.randomUUID();
    List<WriteRequest> requests = new ArrayList<>();
    List<WriteResponse> responses = new ArrayList<>();
    for (int i = 1; i <= INCREMENTS; i++) {
      WriteRequest request =
          RawCalls.put(
              client,
              i,
              i == 1
                  ? RawCalls.absent("counter")
                  : RawCalls.version("counter", responses.get(i - 2).getVersion()),
              "counter",
              String.valueOf(i));
      requests.add(request);
      String node = cluster.local().spec().nodeIds().get(i % 3);
      responses.add(calls.write(node, request));
      assertThat(responses.get(i - 1).getApplied()).as("increment %d", i).isTrue();
      assertThat(calls.write(node, request)).isEqualTo(responses.get(i - 1));
    }
    assertSameAnswers(requests, responses);

    String old = cluster.leader(DATA_SHARD);
    String next = cluster.followers(DATA_SHARD).get(0);
    cluster.lead(next, DATA_SHARD);
    assertSameAnswers(requests, responses);

    cluster.node(next).kill();
    assertSameAnswers(requests.subList(INCREMENTS - 5, INCREMENTS), lastOf(responses), old);
    cluster.restart(next);

    cluster.killAll();
    cluster.restartAll();
    assertSameAnswers(requests, responses);

    cluster.admin().flush(cluster.local().spec().address("n1"));
    cluster.killAll();
    cluster.restartAll();
    cluster.lead("n1", DATA_SHARD);
    assertSameAnswers(requests, responses);
    assertThat(cluster.client().get("counter").orElseThrow().valueText())
        .isEqualTo(String.valueOf(INCREMENTS));
    assertThat(cluster.client().get("counter").orElseThrow().version())
        .isEqualTo(responses.get(INCREMENTS - 1).getVersion());
  }

  private static List<WriteResponse> lastOf(List<WriteResponse> responses) {
    return responses.subList(INCREMENTS - 5, INCREMENTS);
  }

  private void assertSameAnswers(List<WriteRequest> requests, List<WriteResponse> responses) {
    assertSameAnswers(requests, responses, "n1");
  }

  private void assertSameAnswers(
      List<WriteRequest> requests, List<WriteResponse> responses, String node) {
    for (int i = 0; i < requests.size(); i++) {
      assertThat(calls.write(node, requests.get(i))).isEqualTo(responses.get(i));
    }
  }

  @Test
  void anEntryLargerThanTheLimitNeverReachesTheLog() {
    String leader = cluster.leader(DATA_SHARD);
    ReplicaStatus before = cluster.replica(leader, DATA_SHARD);
    WriteRequest huge =
        WriteRequest.newBuilder()
            .addMutations(
                Mutation.newBuilder()
                    .setPut(
                        Mutation.Put.newBuilder()
                            .setKey(ByteString.copyFromUtf8("huge"))
                            .setValue(ByteString.copyFrom(new byte[3 << 20]))))
            .build();
    StatusRuntimeException refused =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () -> cluster.raw(leader, Duration.ofSeconds(10)).write(huge));
    ErrorDetail detail = KvErrors.fromStatus(refused);
    assertThat(detail.getReason()).isEqualTo(Reason.VALUE_TOO_LARGE);
    assertThat(detail.getApplied()).isEqualTo(Applied.NEVER);
    assertThat(detail.getMessage()).contains("3145728").contains("2097152");
    ReplicaStatus after = cluster.replica(leader, DATA_SHARD);
    assertThat(after.getCommittedIndex()).isEqualTo(before.getCommittedIndex());
    assertThat(after.getTerm()).isEqualTo(before.getTerm());
    assertThat(cluster.client().get("huge")).isEmpty();
  }

  @Test
  void aNodeThatWasAwayUntilTheLogWasPurgedComesBackThroughACheckpoint() throws Exception {
    String away = cluster.followers(DATA_SHARD).get(0);
    long seen = cluster.replica(away, DATA_SHARD).getAppliedIndex();
    cluster.node(away).kill();
    fillSomeLogSegments();
    for (String id : cluster.local().spec().nodeIds()) {
      if (!id.equals(away)) {
        cluster.admin().flush(cluster.local().spec().address(id));
        TestCluster.within(Duration.ofSeconds(30))
            .until(() -> cluster.replica(id, DATA_SHARD).getLogStartIndex() > seen + 1);
      }
    }
    String digest = cluster.digest().hex();
    cluster.restart(away);
    cluster.awaitCaughtUp(away, DATA_SHARD);
    assertThat(cluster.replica(away, DATA_SHARD).getInstalledCheckpoints()).isPositive();
    cluster.lead(away, DATA_SHARD);
    assertThat(cluster.digest().hex()).isEqualTo(digest);
    cluster.node(away).kill();
    cluster.restart(away);
    cluster.lead(away, DATA_SHARD);
    assertThat(cluster.digest().hex()).isEqualTo(digest);
  }

  /** The log is purged by whole segments of 8 MiB, so there must be some. */
  private void fillSomeLogSegments() {
    Random random = new Random(7);
    List<CompletableFuture<Long>> puts = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      byte[] value = new byte[64 << 10];
      random.nextBytes(value);
      byte[] key = ("away-" + i).getBytes(StandardCharsets.UTF_8);
      puts.add(cluster.client().async().put(key, value));
      if (puts.size() == 8) {
        puts.forEach(CompletableFuture::join);
        puts.clear();
      }
    }
  }
}
