package io.silkkv.ops.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.silkkv.client.KvClient;
import io.silkkv.client.KvEntry;
import io.silkkv.client.KvScan;
import io.silkkv.client.ScanOptions;
import io.silkkv.ops.admin.AdminClient;
import io.silkkv.ops.load.RecordDigest;
import io.silkkv.ops.local.ClusterWish;
import io.silkkv.ops.local.FreePorts;
import io.silkkv.ops.local.Launcher;
import io.silkkv.ops.local.LocalCluster;
import io.silkkv.ops.local.NodeProcess;
import io.silkkv.v1.KvGrpc;
import io.silkkv.v1.NodeStatus;
import io.silkkv.v1.ReplicaStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Three real node processes, and what tests do to them and ask of them. */
final class TestCluster implements AutoCloseable {
  static final long DATA_SHARD = 2;
  static final Duration START_LIMIT = Duration.ofSeconds(90);
  private static final Duration ADMIN_DEADLINE = Duration.ofSeconds(5);
  private static final int FIRST_PORT = 22_000;

  private final LocalCluster cluster;
  private final List<String> settings;
  private final AdminClient admin;
  private final KvClient client;
  private final Map<String, ManagedChannel> channels = new HashMap<>();

  private TestCluster(LocalCluster cluster, List<String> settings) {
    this.cluster = cluster;
    this.settings = settings;
    this.admin = new AdminClient(cluster.spec().endpoints(), ADMIN_DEADLINE);
    this.client =
        KvClient.builder()
            .endpoints(cluster.spec().endpoints())
            .deadline(Duration.ofSeconds(60))
            .build();
  }

  static Launcher launcher() {
    Path script = Path.of("bin/silkkv").toAbsolutePath();
    return new Launcher(script, Path.of(System.getProperty("java.home")));
  }

  static TestCluster start(Path dir, int shards, List<String> settings)
      throws IOException, InterruptedException {
    LocalCluster cluster =
        LocalCluster.open(
            dir,
            ClusterWish.exactly(3, FreePorts.from(FIRST_PORT, 30), shards),
            launcher(),
            System::nanoTime);
    TestCluster started = new TestCluster(cluster, settings);
    try {
      cluster.start(settings, START_LIMIT);
      started.awaitLeaders();
      return started;
    } catch (RuntimeException | Error e) {
      started.close();
      throw e;
    }
  }

  static ConditionFactory within(Duration limit) {
    return Awaitility.await().atMost(limit).pollInterval(Duration.ofMillis(50)).ignoreExceptions();
  }

  LocalCluster local() {
    return cluster;
  }

  AdminClient admin() {
    return admin;
  }

  KvClient client() {
    return client;
  }

  NodeProcess node(String id) {
    return cluster.node(id);
  }

  String leader(long shard) {
    for (String id : cluster.spec().nodeIds()) {
      if (node(id).isAlive() && replica(id, shard).getRole().equals("LEADER")) {
        return id;
      }
    }
    throw new IllegalStateException("no running node says that it leads shard " + shard);
  }

  List<String> followers(long shard) {
    String leader = leader(shard);
    return cluster.spec().nodeIds().stream().filter(id -> !id.equals(leader)).toList();
  }

  NodeStatus status(String id) {
    return admin.status(cluster.spec().address(id));
  }

  ReplicaStatus replica(String id, long shard) {
    return status(id).getReplicasList().stream()
        .filter(replica -> replica.getShardId() == shard)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(id + " has no replica of shard " + shard));
  }

  /** Direct calls to one node, without the client's routing and retries. */
  KvGrpc.KvBlockingStub raw(String id, Duration deadline) {
    ManagedChannel channel =
        channels.computeIfAbsent(
            id,
            key ->
                NettyChannelBuilder.forTarget("dns:///" + cluster.spec().address(key))
                    .usePlaintext()
                    .build());
    return KvGrpc.newBlockingStub(channel)
        .withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS);
  }

  void awaitLeaders() {
    List<Long> shards =
        status("n1").getReplicasList().stream().map(ReplicaStatus::getShardId).toList();
    assertThat(shards).isNotEmpty();
    for (long shard : shards) {
      within(Duration.ofSeconds(30)).until(() -> !leader(shard).isEmpty());
    }
  }

  void restart(String id) throws IOException, InterruptedException {
    cluster.restart(id, settings, START_LIMIT);
  }

  void restartAll() throws IOException, InterruptedException {
    cluster.start(settings, START_LIMIT);
    awaitLeaders();
  }

  void killAll() throws InterruptedException {
    for (NodeProcess node : cluster.nodes()) {
      if (node.isAlive()) {
        node.kill();
      }
    }
  }

  /** Waits until a node has applied what its shard's leader had committed when this was called. */
  void awaitCaughtUp(String id, long shard) {
    long committed = replica(leader(shard), shard).getCommittedIndex();
    within(Duration.ofSeconds(60)).until(() -> replica(id, shard).getAppliedIndex() >= committed);
  }

  /** Moves leadership and waits until the new leader answers. */
  void lead(String id, long shard) {
    within(Duration.ofSeconds(30))
        .until(
            () -> {
              String leader = leader(shard);
              if (!leader.equals(id)) {
                admin.transferLeadership(cluster.spec().address(leader), shard, id);
              }
              return leader(shard).equals(id);
            });
  }

  RecordDigest digest() {
    RecordDigest digest = new RecordDigest();
    try (KvScan scan = client.scan(ScanOptions.all())) {
      while (scan.hasNext()) {
        KvEntry entry = scan.next();
        digest.add(entry.key(), entry.value());
      }
    }
    return digest;
  }

  @Override
  public void close() throws IOException {
    channels.values().forEach(ManagedChannel::shutdownNow);
    client.close();
    admin.close();
    cluster.close();
  }
}
