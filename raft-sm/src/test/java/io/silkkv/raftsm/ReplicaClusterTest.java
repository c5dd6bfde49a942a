package io.silkkv.raftsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.engine.EngineOptions;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.raftsm.command.Command;
import io.silkkv.raftsm.command.CommandResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Replicas with real engines and real Raft, three nodes in this process. */
@Timeout(180)
class ReplicaClusterTest {
  private static final EngineOptions SMALL =
      EngineOptions.DEFAULTS.toBuilder().memtableBytes(1 << 20).build();

  @TempDir Path directory;

  private static byte[] value(int seed, int size) {
    byte[] bytes = new byte[size];
    new java.util.SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  @Test
  void writesAreReplicatedReadableAndSurviveLeaderChangeAndRestart() throws Exception {
    try (ReplicaCluster cluster =
        new ReplicaCluster(directory, HostCluster.fast(), SMALL, List.of(1L, 2L)).startAll()) {
      for (int i = 0; i < 50; i++) {
        assertThat(cluster.put(1 + i % 2, "k" + i, value(i, 100)))
            .isInstanceOf(CommandResult.Applied.class);
      }
      String leader = cluster.awaitLeader(2);
      ShardReplica replica = cluster.replica(leader, 2);
      Awaitility.await().atMost(Duration.ofSeconds(10)).until(replica::canReadNow);
      replica.readBarrier().get(5, TimeUnit.SECONDS);
      assertThat(cluster.get(leader, 2, "k1")).isEqualTo(value(1, 100));

      String next = cluster.others(leader).get(0);
      replica.transferLeadership(next).get(15, TimeUnit.SECONDS);
      assertThat(replica.canReadNow()).isFalse();
      assertThat(cluster.awaitLeader(2)).isEqualTo(next);
      assertThat(cluster.get(next, 2, "k49")).isEqualTo(value(49, 100));

      cluster.names().forEach(cluster::stop);
      cluster.startAll();
      for (long shard : new long[] {1, 2}) {
        String now = cluster.awaitLeader(shard);
        cluster.replica(now, shard).readBarrier().get(10, TimeUnit.SECONDS);
        for (int i = 0; i < 50; i++) {
          if (1 + i % 2 == shard) {
            assertThat(cluster.get(now, shard, "k" + i)).isEqualTo(value(i, 100));
          }
        }
      }
      assertThat(cluster.fatals()).isEmpty();
    }
  }

  @Test
  void isolatedLeaderRefusesReadsWithinItsLease() throws Exception {
    try (ReplicaCluster cluster =
        new ReplicaCluster(directory, HostCluster.fast(), SMALL, List.of(2L)).startAll()) {
      cluster.put(2, "k", value(1, 10));
      String leader = cluster.awaitLeader(2);
      ShardReplica replica = cluster.replica(leader, 2);
      Awaitility.await().atMost(Duration.ofSeconds(10)).until(replica::canReadNow);
      cluster.others(leader).forEach(cluster::stop);
      Awaitility.await()
          .atMost(Duration.ofSeconds(2))
          .pollInterval(Duration.ofMillis(5))
          .until(() -> !replica.canReadNow());
      assertThatThrownBy(() -> replica.readBarrier().get(20, TimeUnit.SECONDS))
          .hasCauseInstanceOf(ProposalException.class);
    }
  }

  @Test
  void replicaThatMissedPurgedLogComesBackThroughACheckpoint() throws Exception {
    RaftSettings settings = HostCluster.fast().withPreservedEntries(0).withSegmentBytes(6 << 20);
    try (ReplicaCluster cluster =
        new ReplicaCluster(directory, settings, SMALL, List.of(2L)).startAll()) {
      cluster.put(2, "first", value(0, 10));
      String leader = cluster.awaitLeader(2);
      String away = cluster.others(leader).get(0);
      cluster.stop(away);
      // Far more than a segment, in far more entries than the purge gap.
      int count = 300;
      for (int i = 0; i < count; i++) {
        cluster.put(2, "k" + i, value(i, 64 << 10));
      }
      ShardReplica leading = cluster.replica(cluster.awaitLeader(2), 2);
      leading.flush().get(30, TimeUnit.SECONDS);
      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .untilAsserted(() -> assertThat(leading.state().logStartIndex()).isGreaterThan(50));

      cluster.start(away);
      cluster.put(2, "last", value(7, 10));
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptions()
          .untilAsserted(
              () -> {
                assertThat(cluster.get(away, 2, "last")).isEqualTo(value(7, 10));
                assertThat(cluster.replica(away, 2).state().installedCheckpoints()).isOne();
              });
      for (int i = 0; i < count; i++) {
        assertThat(cluster.get(away, 2, "k" + i)).isEqualTo(value(i, 64 << 10));
      }
      assertThat(cluster.server(away).replication().checkpointBytesReceived())
          .isGreaterThan(10 << 20);
      assertThat(directory.resolve(away + "/shards/2/incoming")).doesNotExist();
      Path pins = directory.resolve(leading.state().leaderPeerId() + "/shards/2/checkpoints");
      Awaitility.await()
          .atMost(Duration.ofSeconds(10))
          .untilAsserted(
              () -> {
                if (Files.exists(pins)) {
                  assertThat(pins).isEmptyDirectory();
                }
              });
      assertThat(cluster.fatals()).isEmpty();
    }
  }

  @Test
  void commandsOfTheLargestSizePassAndLargerOnesLeaveTheLeaderInPlace() throws Exception {
    try (ReplicaCluster cluster =
        new ReplicaCluster(directory, HostCluster.fast(), SMALL, List.of(2L)).startAll()) {
      String leader = cluster.awaitLeader(2);
      ShardReplica replica = cluster.replica(leader, 2);
      long term = replica.state().term();
      byte[] big = value(3, 2 << 20);
      List<CompletableFuture<CommandResult>> writes = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        writes.add(
            replica.propose(
                Command.of(new WriteBatch().put(Slice.utf8("big" + i), Slice.wrap(big)))));
      }
      for (CompletableFuture<CommandResult> write : writes) {
        assertThat(write.get(30, TimeUnit.SECONDS)).isInstanceOf(CommandResult.Applied.class);
      }
      assertThatThrownBy(
              () ->
                  replica
                      .propose(
                          Command.of(
                              new WriteBatch()
                                  .put(Slice.utf8("huge"), Slice.wrap(new byte[3 << 20]))))
                      .get(10, TimeUnit.SECONDS))
          .cause()
          .isInstanceOfSatisfying(
              ProposalException.class,
              e -> assertThat(e.reason()).isEqualTo(ProposalException.Reason.TOO_LARGE));
      cluster.put(2, "after", value(4, 10));
      assertThat(replica.state().term()).isEqualTo(term);
      assertThat(cluster.get(leader, 2, "big3")).isEqualTo(big);
    }
  }
}
