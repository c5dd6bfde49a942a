package io.silkkv.raftsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.raftsm.metrics.RaftMetrics;
import io.silkkv.raftsm.transport.ReadGate;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
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

@Timeout(120)
class RaftHostTest {
  @TempDir Path directory;

  @Test
  void leaderHoldsALeaseAndLosesItWhenItsFollowersAreGone() throws Exception {
    try (HostCluster cluster = new HostCluster(directory, HostCluster.fast()).startAll()) {
      String leader = cluster.awaitLeader();
      assertThat(cluster.write(leader, "a").isSuccess()).isTrue();
      ReadGate gate = cluster.gate(leader);
      Awaitility.await().atMost(Duration.ofSeconds(10)).until(gate::leaseHeld);
      assertThat(gate.confirm().get(5, TimeUnit.SECONDS)).isEqualTo(ReadGate.Outcome.CONFIRMED);

      cluster.names().stream().filter(n -> !n.equals(leader)).forEach(cluster::stop);
      long cutOff = System.nanoTime();
      Awaitility.await()
          .atMost(Duration.ofSeconds(5))
          .pollInterval(Duration.ofMillis(5))
          .until(() -> !gate.leaseHeld());
      assertThat(Duration.ofNanos(System.nanoTime() - cutOff)).isLessThan(Duration.ofSeconds(2));
      assertThat(gate.confirm().get(10, TimeUnit.SECONDS)).isNotEqualTo(ReadGate.Outcome.CONFIRMED);
      assertThat(gate.leaseHeld()).isFalse();
    }
  }

  @Test
  void followersHoldNoLeaseAndConfirmNothing() throws Exception {
    try (HostCluster cluster = new HostCluster(directory, HostCluster.fast()).startAll()) {
      String leader = cluster.awaitLeader();
      for (String name : cluster.names()) {
        if (!name.equals(leader)) {
          assertThat(cluster.gate(name).leaseHeld()).isFalse();
          assertThat(cluster.gate(name).confirm())
              .isCompletedWithValue(ReadGate.Outcome.NOT_LEADER);
        }
      }
    }
  }

  @Test
  void callsThatArriveTogetherShareHeartbeats() throws Exception {
    try (HostCluster cluster = new HostCluster(directory, HostCluster.fast()).startAll()) {
      String leader = cluster.awaitLeader();
      ReadGate gate = cluster.gate(leader);
      var meter = cluster.host(leader).transport().meter();
      long before = meter.totals().appendsSent();
      List<CompletableFuture<ReadGate.Outcome>> calls = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        calls.add(gate.confirm());
      }
      for (CompletableFuture<ReadGate.Outcome> call : calls) {
        assertThat(call.get(5, TimeUnit.SECONDS)).isEqualTo(ReadGate.Outcome.CONFIRMED);
      }
      assertThat(meter.totals().appendsSent() - before).isLessThan(500);
    }
  }

  @Test
  void leadershipMovesOnRequestAlthoughVotersKeepTheirPromise() throws Exception {
    try (HostCluster cluster = new HostCluster(directory, HostCluster.fast()).startAll()) {
      String leader = cluster.awaitLeader();
      String next = cluster.names().stream().filter(n -> !n.equals(leader)).findFirst().get();
      cluster.gate(leader).suspendLease(Duration.ofSeconds(9));
      assertThat(cluster.gate(leader).leaseHeld()).isFalse();
      assertThat(cluster.transfer(leader, next).isSuccess()).isTrue();
      assertThat(cluster.awaitLeader()).isEqualTo(next);
      assertThat(cluster.write(next, "b").isSuccess()).isTrue();
    }
  }

  @Test
  void groupsAreRecoveredWithTheirLogWhenAllRestart() throws Exception {
    try (HostCluster cluster = new HostCluster(directory, HostCluster.fast()).startAll()) {
      String leader = cluster.awaitLeader();
      for (int i = 0; i < 20; i++) {
        assertThat(cluster.write(leader, "w" + i).isSuccess()).isTrue();
      }
      cluster.names().forEach(cluster::stop);
      cluster.startAll();
      String next = cluster.awaitLeader();
      Awaitility.await()
          .atMost(Duration.ofSeconds(10))
          .untilAsserted(() -> assertThat(cluster.machine(next).applied()).isEqualTo(20));
      assertThat(cluster.write(next, "more").isSuccess()).isTrue();
      assertThat(cluster.fatals()).isEmpty();
    }
  }

  @Test
  void groupThatEndedBeforeItsFirstConfigurationEntryStartsAgainWithItsMembers() throws Exception {
    try (HostCluster cluster = new HostCluster(directory, HostCluster.fast())) {
      // Alone it cannot elect a leader, so no configuration entry is ever written.
      cluster.start("n1");
      cluster.stop("n1");
      Path meta =
          directory.resolve("n1/raft").resolve(cluster.spec().groupId() + "/current/raft-meta");
      assertThat(meta).exists();
      cluster.startAll();
      String leader = cluster.awaitLeader();
      assertThat(cluster.write(leader, "a").isSuccess()).isTrue();
      Awaitility.await()
          .atMost(Duration.ofSeconds(10))
          .untilAsserted(() -> assertThat(cluster.machine("n1").applied()).isEqualTo(1));
      assertThat(cluster.fatals()).isEmpty();
    }
  }

  @Test
  void aFollowerThatComesBackCatchesUpFromTheLog() throws Exception {
    try (HostCluster cluster = new HostCluster(directory, HostCluster.fast()).startAll()) {
      String leader = cluster.awaitLeader();
      String away = cluster.names().stream().filter(n -> !n.equals(leader)).findFirst().get();
      cluster.stop(away);
      for (int i = 0; i < 10; i++) {
        assertThat(cluster.write(leader, "w" + i).isSuccess()).isTrue();
      }
      cluster.start(away);
      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .untilAsserted(() -> assertThat(cluster.machine(away).applied()).isEqualTo(10));
    }
  }

  @Test
  void aClosedGroupIsReportedAsFatal() throws Exception {
    try (HostCluster cluster = new HostCluster(directory, HostCluster.fast()).startAll()) {
      String leader = cluster.awaitLeader();
      cluster.division(leader).close();
      Awaitility.await()
          .atMost(Duration.ofSeconds(5))
          .untilAsserted(
              () ->
                  assertThat(cluster.fatals())
                      .anySatisfy(f -> assertThat(f).startsWith(leader).contains("shard 2")));
    }
  }

  @Test
  void aTakenPortIsNamedWithTheRemedy() throws Exception {
    try (HostCluster cluster = new HostCluster(directory, HostCluster.fast());
        ServerSocket other =
            new ServerSocket(
                cluster.options("n1").raftPort(), 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> cluster.start("n1"))
          .isInstanceOf(BindException.class)
          .hasMessageContaining("127.0.0.1:" + other.getLocalPort())
          .hasMessageContaining("configure another raft-address");
      assertThat(Files.exists(directory.resolve("n1"))).isFalse();
    }
  }

  @Test
  void theLibrarysFiguresAndTheMeterCanBeRead() throws Exception {
    try (HostCluster cluster = new HostCluster(directory, HostCluster.fast()).startAll()) {
      String leader = cluster.awaitLeader();
      assertThat(cluster.write(leader, "x".repeat(10_000)).isSuccess()).isTrue();
      assertThat(RaftMetrics.read())
          .anySatisfy(
              s -> {
                assertThat(s.component()).isEqualTo("log_worker");
                assertThat(s.kind()).isEqualTo(RaftMetrics.Kind.TIMER_COUNT);
                assertThat(s.value()).isPositive();
              });
      assertThat(cluster.host(leader).transport().meter().totals().appendBytesSent())
          .isGreaterThan(20_000);
      String follower = cluster.names().stream().filter(n -> !n.equals(leader)).findFirst().get();
      Awaitility.await()
          .atMost(Duration.ofSeconds(10))
          .until(
              () ->
                  cluster.host(follower).transport().meter().totals().raftBytesReceived() > 10_000);
    }
  }
}
