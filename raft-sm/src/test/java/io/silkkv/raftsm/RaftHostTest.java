package io.silkkv.raftsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.raftsm.metrics.RaftMetrics;
import io.silkkv.raftsm.transport.ReadGate;
import io.silkkv.raftsm.transport.ReplicationMeter;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three healthy Raft hosts; no test stops one. */
@Timeout(60)
class RaftHostTest {
  @TempDir static Path directory;

  private static HostCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = new HostCluster(directory, HostCluster.fast()).startAll();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void leaderHoldsALeaseAndFollowersDoNot() throws Exception {
    String leader = cluster.awaitLeader();
    ReadGate gate = cluster.gate(leader);
    // Another test may just have handed over leadership, which suspends the lease for a while.
    Awaitility.await().atMost(Duration.ofSeconds(20)).until(gate::leaseHeld);
    assertThat(gate.confirm().get(5, TimeUnit.SECONDS)).isEqualTo(ReadGate.Outcome.CONFIRMED);
    for (String name : cluster.others(leader)) {
      assertThat(cluster.gate(name).leaseHeld()).isFalse();
      assertThat(cluster.gate(name).confirm()).isCompletedWithValue(ReadGate.Outcome.NOT_LEADER);
    }
  }

  @Test
  void readsThatArriveTogetherShareHeartbeats() throws Exception {
    String leader = cluster.awaitLeader();
    ReadGate gate = cluster.gate(leader);
    ReplicationMeter meter = cluster.host(leader).transport().meter();
    long before = meter.totals().appendsSent();
    List<CompletableFuture<ReadGate.Outcome>> reads = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      reads.add(gate.confirm());
    }
    for (CompletableFuture<ReadGate.Outcome> read : reads) {
      assertThat(read.get(5, TimeUnit.SECONDS)).isEqualTo(ReadGate.Outcome.CONFIRMED);
    }
    assertThat(meter.totals().appendsSent() - before).isLessThan(500);
  }

  @Test
  void leadershipMovesOnRequestAlthoughVotersKeepTheirPromise() throws Exception {
    String leader = cluster.awaitLeader();
    String next = cluster.others(leader).get(0);
    cluster.gate(leader).suspendLease(Duration.ofSeconds(9));
    assertThat(cluster.gate(leader).leaseHeld()).isFalse();
    assertThat(cluster.transfer(leader, next).isSuccess()).isTrue();
    assertThat(cluster.awaitLeader()).isEqualTo(next);
    assertThat(cluster.write(next, "b").isSuccess()).isTrue();
  }

  @Test
  void theLibrarysFiguresAndTheMeterCanBeRead() throws Exception {
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
    ReplicationMeter follower = cluster.host(cluster.others(leader).get(0)).transport().meter();
    Awaitility.await()
        .atMost(Duration.ofSeconds(10))
        .until(() -> follower.totals().raftBytesReceived() > 10_000);
  }

  @Test
  void aTakenPortIsNamedWithTheRemedy() throws Exception {
    Path elsewhere = directory.resolve("elsewhere");
    try (HostCluster other = new HostCluster(elsewhere, HostCluster.fast());
        ServerSocket taken =
            new ServerSocket(other.options("n1").raftPort(), 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> other.start("n1"))
          .isInstanceOf(BindException.class)
          .hasMessageContaining("127.0.0.1:" + taken.getLocalPort())
          .hasMessageContaining("configure another raft-address");
      assertThat(elsewhere).doesNotExist();
    }
  }
}
