package io.silkkv.raftsm;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.silkkv.engine.EngineOptions;
import io.silkkv.engine.EngineResources;
import io.silkkv.engine.api.Cursor;
import io.silkkv.engine.api.ReadView;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.VersionedValue;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.engine.io.IoCounters;
import io.silkkv.engine.io.LocalFileSystem;
import io.silkkv.raftsm.command.Command;
import io.silkkv.raftsm.command.CommandResult;
import io.silkkv.raftsm.transfer.TransferOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;

/** Three replica servers with real engines in this process, connected over loopback. */
final class ReplicaCluster implements AutoCloseable {
  private static final List<String> NAMES = List.of("n1", "n2", "n3");

  private final Path directory;
  private final RaftSettings settings;
  private final EngineOptions engine;
  private final List<Long> shards;
  private final Map<String, Integer> raftPorts = new TreeMap<>();
  private final Map<String, Node> nodes = new TreeMap<>();
  private final Map<String, ManagedChannel> channels = new ConcurrentHashMap<>();
  private final List<String> fatals = new ArrayList<>();

  /** One node: its resources, its replicas and the gRPC server that gives out checkpoints. */
  private record Node(EngineResources resources, ReplicaServer server, Server grpc) {}

  ReplicaCluster(Path directory, RaftSettings settings, EngineOptions engine, List<Long> shards)
      throws IOException {
    this.directory = directory;
    this.settings = settings;
    this.engine = engine;
    this.shards = shards;
    for (String name : NAMES) {
      raftPorts.put(name, Ports.free());
    }
  }

  ReplicaCluster startAll() throws IOException {
    for (String name : NAMES) {
      start(name);
    }
    return this;
  }

  void start(String name) throws IOException {
    EngineResources resources =
        EngineResources.create(
            new LocalFileSystem(new IoCounters()), 64L << 20, 8L << 20, System::nanoTime, 1);
    ReplicaServer server =
        ReplicaServer.start(
            new ReplicaServerOptions(
                name,
                directory.resolve(name),
                "127.0.0.1",
                raftPorts.get(name),
                settings,
                ReplicaOptions.DEFAULT,
                TransferOptions.DEFAULT),
            resources,
            engine,
            (what, cause) -> {
              synchronized (fatals) {
                fatals.add(name + ": " + what + ": " + cause);
              }
            },
            peer -> channels.get(peer),
            System::nanoTime);
    Server grpc =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(server.transferService())
            .build()
            .start();
    ManagedChannel old =
        channels.put(
            name,
            NettyChannelBuilder.forAddress("127.0.0.1", grpc.getPort()).usePlaintext().build());
    if (old != null) {
      old.shutdownNow();
    }
    nodes.put(name, new Node(resources, server, grpc));
    for (long shard : shards) {
      server.open(
          new ShardSpec(
              shard,
              new UUID(0x51, shard),
              NAMES.stream()
                  .map(peer -> new PeerSpec(peer, "127.0.0.1:" + raftPorts.get(peer)))
                  .toList()));
    }
  }

  void stop(String name) {
    Node node = nodes.remove(name);
    if (node != null) {
      node.server.close();
      node.grpc.shutdownNow();
      node.resources.close();
    }
  }

  List<String> names() {
    return NAMES;
  }

  List<String> others(String name) {
    return NAMES.stream().filter(other -> !other.equals(name)).toList();
  }

  ReplicaServer server(String name) {
    return nodes.get(name).server;
  }

  ShardReplica replica(String name, long shard) {
    return nodes.get(name).server.replica(shard);
  }

  List<String> fatals() {
    synchronized (fatals) {
      return List.copyOf(fatals);
    }
  }

  String awaitLeader(long shard) {
    String now = leader(shard);
    if (now != null) {
      return now;
    }
    return Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> leader(shard), name -> name != null);
  }

  private String leader(long shard) {
    return nodes.keySet().stream()
        .filter(name -> replica(name, shard).state().ready())
        .findFirst()
        .orElse(null);
  }

  /** Writes through whoever leads; retries what is safe to retry here. */
  CommandResult put(long shard, String key, byte[] value) throws Exception {
    Command command = Command.of(new WriteBatch().put(Slice.utf8(key), Slice.wrap(value)));
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (true) {
      try {
        return replica(awaitLeader(shard), shard).propose(command).get(30, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        if (System.nanoTime() > deadline || !(e.getCause() instanceof ProposalException)) {
          throw e;
        }
      }
    }
  }

  /** Proposes at whoever leads until an outcome is known, as a client with a session would. */
  CommandResult write(long shard, Command command) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (true) {
      try {
        return replica(awaitLeader(shard), shard).propose(command).get(60, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof ProposalException refused)
            || (refused.maybeApplied() && command.session() == null)
            || System.nanoTime() > deadline) {
          throw e;
        }
        LockSupport.parkNanos(
            TimeUnit.MILLISECONDS.toNanos(Math.max(1, refused.retryAfterMillis())));
      }
    }
  }

  /** Waits until all running replicas have applied what the leader has. */
  void awaitAllApplied(long shard) {
    long target = replica(awaitLeader(shard), shard).state().committedIndex();
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(20))
        .until(
            () ->
                nodes.keySet().stream()
                    .allMatch(name -> replica(name, shard).state().appliedIndex() >= target));
  }

  /** Keys with their versions and values as text. */
  Map<String, String> content(String name, long shard) {
    Map<String, String> content = new TreeMap<>();
    try (ReadView view = replica(name, shard).engine().view();
        Cursor cursor = view.cursor(null, null)) {
      for (cursor.first(); cursor.valid(); cursor.next()) {
        content.put(cursor.key().toUtf8(), cursor.version() + ":" + cursor.value());
      }
    }
    return content;
  }

  byte[] get(String name, long shard, String key) {
    VersionedValue found = replica(name, shard).engine().get(Slice.utf8(key));
    return found == null ? null : found.value().toByteArray();
  }

  @Override
  public void close() {
    List.copyOf(nodes.keySet()).forEach(this::stop);
    channels.values().forEach(ManagedChannel::shutdownNow);
  }
}
