package io.silkkv.raftsm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.ratis.grpc.server.GrpcServicesImpl;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.util.CodeInjectionForTesting;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three Raft hosts that stop, restart and fail. */
@Timeout(120)
class RaftHostFaultTest {
  @TempDir Path directory;

  private void awaitApplied(HostCluster cluster, String name, long count) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(cluster.machine(name).applied()).isEqualTo(count));
  }

  @Test
  void groupsComeBackWithTheirLogAlsoWhenItsTailIsTorn() throws Exception {
    try (HostCluster cluster = new HostCluster(directory, HostCluster.fast())) {
      // Alone it cannot elect a leader, so its first configuration never reaches the disk.
      cluster.start("n1");
      cluster.stop("n1");
      assertThat(directory.resolve("n1/raft/" + cluster.spec().groupId() + "/current/raft-meta"))
          .exists();
      cluster.startAll();
      String leader = cluster.awaitLeader();
      for (int i = 0; i < 20; i++) {
        assertThat(cluster.write(leader, "w" + i).isSuccess()).isTrue();
      }
      for (String name : cluster.names()) {
        awaitApplied(cluster, name, 20);
      }
      cluster.names().forEach(cluster::stop);
      tear(directory.resolve("n2/raft/" + cluster.spec().groupId() + "/current"));
      cluster.startAll();
      String next = cluster.awaitLeader();
      assertThat(cluster.write(next, "more").isSuccess()).isTrue();
      for (String name : cluster.names()) {
        awaitApplied(cluster, name, 21);
      }
      assertThat(cluster.fatals()).isEmpty();
    }
  }

  /** Damages the last entry of the newest segment. */
  private static void tear(Path log) throws IOException {
    try (Stream<Path> files = Files.list(log)) {
      List<Path> segments =
          files.filter(f -> f.getFileName().toString().startsWith("log_")).sorted().toList();
      Path newest = segments.get(segments.size() - 1);
      byte[] bytes = Files.readAllBytes(newest);
      int end = bytes.length;
      while (end > 0 && bytes[end - 1] == 0) {
        end--;
      }
      assertThat(end).isGreaterThan(100);
      try (RandomAccessFile file = new RandomAccessFile(newest.toFile(), "rw")) {
        file.seek(end - 12);
        file.write(new byte[12]);
      }
    }
  }

  @Test
  void failedAppenderGoesOnWithoutASnapshotAndAClosedGroupIsFatal() throws Exception {
    AtomicInteger failures = new AtomicInteger();
    try (HostCluster cluster = new HostCluster(directory, HostCluster.fast()).startAll()) {
      String leader = cluster.awaitLeader();
      String victim = cluster.others(leader).get(0);
      String other = cluster.others(leader).get(1);
      assertThat(cluster.write(leader, "a").isSuccess()).isTrue();
      awaitApplied(cluster, victim, 1);
      CodeInjectionForTesting.put(
          GrpcServicesImpl.GRPC_SEND_SERVER_REQUEST,
          (localId, remoteId, args) -> {
            if (args[0] instanceof AppendEntriesRequestProto append
                && append.getEntriesCount() > 0
                && append.getServerRequest().getReplyId().toStringUtf8().equals(victim)
                && failures.getAndIncrement() == 0) {
              throw new IllegalStateException("injected");
            }
            return false;
          });
      assertThat(cluster.write(leader, "b").isSuccess()).isTrue();
      Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> failures.get() > 0);
      awaitApplied(cluster, victim, 2);
      assertThat(cluster.machine(victim).snapshotRequests()).isZero();
      // The read gate listens to the new appender: with the other follower gone it must.
      cluster.stop(other);
      assertThat(cluster.write(leader, "c").isSuccess()).isTrue();
      awaitApplied(cluster, victim, 3);
      Awaitility.await()
          .during(Duration.ofSeconds(2))
          .atMost(Duration.ofSeconds(10))
          .until(() -> cluster.gate(leader).leaseHeld());

      assertThat(cluster.fatals()).isEmpty();
      cluster.division(leader).close();
      Awaitility.await()
          .atMost(Duration.ofSeconds(5))
          .untilAsserted(
              () ->
                  assertThat(cluster.fatals())
                      .anySatisfy(f -> assertThat(f).startsWith(leader).contains("shard 2")));
    } finally {
      CodeInjectionForTesting.put(
          GrpcServicesImpl.GRPC_SEND_SERVER_REQUEST, (localId, remoteId, args) -> false);
    }
  }

  @Test
  void aPeriodicTaskThatFailsDoesNotStopTheWatcherAndAnErrorIsFatal() throws Exception {
    try (HostCluster cluster = new HostCluster(directory, HostCluster.fast())) {
      RaftHost host = cluster.start("n1");
      AtomicInteger runs = new AtomicInteger();
      host.everyTick(
          () -> {
            throw new IllegalStateException("of the test");
          });
      host.everyTick(runs::incrementAndGet);
      Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> runs.get() > 2);
      assertThat(cluster.fatals()).isEmpty();

      host.everyTick(
          () -> {
            throw new StackOverflowError("of the test");
          });
      Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> !cluster.fatals().isEmpty());
      int before = runs.get();
      Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> runs.get() > before);
    }
  }
}
