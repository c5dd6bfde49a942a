package io.silkkv.node;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.grpc.BindableService;
import io.silkkv.engine.EngineOptions;
import io.silkkv.engine.EngineResources;
import io.silkkv.engine.api.EngineException;
import io.silkkv.engine.io.DirectIo;
import io.silkkv.engine.io.IoCounters;
import io.silkkv.engine.io.LocalFileSystem;
import io.silkkv.node.admin.AdminHttp;
import io.silkkv.node.admin.NodeMetrics;
import io.silkkv.node.config.NodeConfig;
import io.silkkv.node.fault.FaultHandler;
import io.silkkv.node.rpc.GrpcEndpoint;
import io.silkkv.node.rpc.GrpcThreads;
import io.silkkv.node.rpc.NodeChannels;
import io.silkkv.node.rpc.NodeServices;
import io.silkkv.node.shard.ReplicaDirectory;
import io.silkkv.node.shard.ShardMapHolder;
import io.silkkv.node.storage.DataDirectory;
import io.silkkv.node.storage.DataDirectoryException;
import io.silkkv.node.storage.Identity;
import io.silkkv.raftsm.PeerSpec;
import io.silkkv.raftsm.ReplicaServer;
import io.silkkv.raftsm.ShardSpec;
import io.silkkv.router.Shard;
import io.silkkv.router.ShardMap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running node. It starts in the order of its constructor, from the disk outwards to the network;
 * {@link #close} first hands its work to the others and then goes the other way. Thread-safe.
 */
public final class KvNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KvNode.class);
  private static final String VERSION = "0.1.0";
  private static final long READY_POLL_MILLIS = 100;

  private final NodeConfig config;
  private final Closers closers;
  private final DataDirectory directory;
  private final ReplicaServer server;
  private final NodeServices services;
  private final Handover handover;
  private final CompletableFuture<Void> ready = new CompletableFuture<>();

  /**
   * Starts a node; returns before it has caught up, see {@link #ready}.
   *
   * @param nanoTime a clock that never goes back, in nanoseconds
   * @throws StartException when it cannot start, with what to do about it
   */
  public static KvNode start(NodeConfig config, FaultHandler faults, LongSupplier nanoTime) {
    Closers closers = new Closers();
    boolean started = false;
    try {
      KvNode node = new KvNode(config, faults, nanoTime, closers);
      started = true;
      return node;
    } catch (DataDirectoryException e) {
      int code =
          e.kind() == DataDirectoryException.Kind.LOCKED
              ? StartException.IN_USE
              : StartException.BAD_INPUT;
      throw new StartException(code, String.valueOf(e.getMessage()), e);
    } catch (EngineException e) {
      throw new StartException(FaultHandler.EXIT_CODE, String.valueOf(e.getMessage()), e);
    } catch (IOException | UncheckedIOException e) {
      throw new StartException(
          FaultHandler.EXIT_CODE, "cannot start in " + config.node().dataDir() + ": " + e, e);
    } finally {
      if (!started) {
        closers.close();
      }
    }
  }

  private KvNode(NodeConfig config, FaultHandler faults, LongSupplier nanoTime, Closers closers)
      throws IOException {
    this.config = config;
    this.closers = closers;
    NodeConfig.Member self = config.self();
    if (config.node().allowNonLoopback()) {
      LOG.warn(
          "node.allow-non-loopback is on: connections are neither encrypted nor authenticated");
    }
    IoCounters io = new IoCounters();
    LocalFileSystem files =
        new LocalFileSystem(
            io, new DirectIo(config.engine().directIo(), config.engine().directIoBufferBytes()));
    directory =
        closers.add(
            "data directory",
            DataDirectory.open(
                files,
                config.node().dataDir(),
                new Identity(config.cluster().id(), self.id()),
                config.cluster().bootstrap()));
    ShardMapHolder maps = loadMap();
    EngineResources resources =
        closers.add(
            "engine resources",
            EngineResources.create(
                files,
                io,
                new EngineResources.Options(
                    config.engine().memtableBudgetBytes(),
                    config.engine().blockCacheBytes(),
                    config.engine().ioPolicy()),
                nanoTime,
                nanoTime.getAsLong()));
    GrpcThreads threads = closers.add("gRPC threads", GrpcThreads.forThisMachine());
    NodeChannels channels = closers.add("channels", new NodeChannels(maps, threads, nanoTime));
    server = closers.add("Raft server", startRaft(resources, channels, faults, nanoTime));
    resources.countTraffic(server::loggedBytes, () -> server.replication().appendBytesSent());
    openShards(maps.map());
    maps.onUpdate(this::storeMap);
    ReplicaDirectory replicas = ReplicaView.directory(server);
    CatchUp catchUp = new CatchUp(replicas, new PeerCommits(channels));
    NodeState state = new NodeState(faults, maps, catchUp);
    services =
        closers.add(
            "services",
            new NodeServices(
                new NodeServices.Identity(self.id(), VERSION, true, resources::io),
                replicas,
                maps,
                channels,
                Options.rpc(config),
                state,
                nanoTime));
    NodeMetrics metrics = closers.add("metrics", new NodeMetrics(io, replicas));
    Meters.add(metrics, resources);
    Meters.addIo(metrics, resources);
    Meters.add(metrics, server);
    Meters.add(metrics, services);
    listen(threads, state, metrics);
    handover = new Handover(self.id(), replicas, maps, nanoTime);
    LOG.info(
        "node {} serves {}, Raft on {}, HTTP on {}, data in {}, I/O policy {}",
        self.id(),
        self.address(),
        self.raft(),
        self.http(),
        config.node().dataDir(),
        config.engine().ioPolicy());
    watchReadiness(state, catchUp);
  }

  /** From here on the node can be reached. */
  private void listen(GrpcThreads threads, NodeState state, NodeMetrics metrics)
      throws IOException {
    NodeConfig.Member self = config.self();
    List<BindableService> all = new ArrayList<>(services.services());
    all.add(server.transferService());
    Listening.on(
        "address",
        self.address(),
        () ->
            closers.add(
                "gRPC", GrpcEndpoint.start(self.address().toSocketAddress(), threads, all)));
    services.start();
    Listening.on(
        "http-address",
        self.http(),
        () ->
            closers.add(
                "HTTP",
                AdminHttp.start(
                    self.http().toSocketAddress(),
                    state::health,
                    this::statusJson,
                    metrics::scrape)));
  }

  private ShardMapHolder loadMap() throws IOException {
    byte[] stored = directory.readShardMap();
    ShardMap configured = Options.initialMap(config);
    if (stored == null) {
      return new ShardMapHolder(configured, false);
    }
    ShardMap map;
    try {
      map = ShardMap.fromProto(io.silkkv.v1.ShardMap.parseFrom(stored));
    } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
      throw directory.damagedShardMap(e);
    }
    if (map.shards().size() != configured.shards().size()) {
      LOG.info(
          "cluster.shards={} only counts when a cluster is created; this one has {} shards",
          configured.shards().size(),
          map.shards().size());
    }
    return new ShardMapHolder(map, true);
  }

  private ReplicaServer startRaft(
      EngineResources resources, NodeChannels channels, FaultHandler faults, LongSupplier nanoTime)
      throws IOException {
    EngineOptions engine =
        EngineOptions.DEFAULTS.toBuilder()
            .memtableBytes(config.engine().memtableBytes())
            .compression(config.engine().compression())
            .dictionaryBytes(config.engine().dictionaryBytes())
            .bloomBitsPerKey(config.engine().bloomBitsPerKey())
            .bloomBitsPerKeyLast(config.engine().bloomBitsPerKeyLast())
            .prefixes(config.engine().keyPrefix())
            .build();
    return Listening.on(
        "raft-address",
        config.self().raft(),
        () ->
            ReplicaServer.start(
                Options.server(config),
                resources,
                engine,
                faults::fatal,
                channels::channel,
                nanoTime));
  }

  /** Opens this node's replicas of the map; those that are open stay as they are. */
  private void openShards(ShardMap map) {
    List<Shard> shards = new ArrayList<>(map.shards());
    shards.add(0, map.meta());
    for (Shard shard : shards) {
      boolean ours =
          shard.replicas().stream()
              .anyMatch(replica -> replica.nodeId().equals(config.node().id()));
      if (ours) {
        List<PeerSpec> peers =
            shard.replicas().stream()
                .map(
                    replica ->
                        new PeerSpec(replica.peerId(), map.node(replica.nodeId()).raftAddress()))
                .toList();
        server.open(new ShardSpec(shard.shardId(), shard.groupId(), peers));
      }
    }
  }

  private void storeMap(ShardMap map) {
    try {
      directory.writeShardMap(map.toProto().toByteArray());
    } catch (IOException e) {
      // Only a copy: the meta shard holds the map, and the next update tries again.
      LOG.warn("the shard map could not be stored in {}", directory.root(), e);
    }
  }

  private String statusJson() {
    try {
      return JsonFormat.printer().alwaysPrintFieldsWithNoPresence().print(services.status());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("the status has no JSON form", e);
    }
  }

  private void watchReadiness(NodeState state, CatchUp catchUp) {
    ScheduledExecutorService poll =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "silkkv-ready");
              thread.setDaemon(true);
              return thread;
            });
    closers.add("readiness watch", poll::shutdownNow);
    var unused =
        poll.scheduleWithFixedDelay(
            () -> {
              catchUp.look();
              if (state.ready()) {
                poll.shutdown();
                LOG.info("ready");
                ready.complete(null);
              }
            },
            0,
            READY_POLL_MILLIS,
            TimeUnit.MILLISECONDS);
  }

  /** Completes when the node has caught up since its start. */
  public CompletableFuture<Void> ready() {
    return ready;
  }

  /** Stops cleanly: within {@code node.shutdown-millis} plus what closing takes. Idempotent. */
  @Override
  public void close() {
    LOG.info("stopping");
    services.beginShutdown();
    handover.run(config.node().shutdownMillis());
    // Before the connections: whoever still waits is told why.
    services.close();
    closers.close();
    LOG.info("stopped");
  }
}
