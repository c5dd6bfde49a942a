package io.silkkv.node.rpc;

import com.google.protobuf.ByteString;
import io.grpc.BindableService;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.silkkv.engine.api.IoFigures;
import io.silkkv.node.shard.LeaderHints;
import io.silkkv.node.shard.MapBootstrap;
import io.silkkv.node.shard.ReplicaDirectory;
import io.silkkv.node.shard.ShardMapHolder;
import io.silkkv.router.KvErrors;
import io.silkkv.router.Limits;
import io.silkkv.router.ShardMap;
import io.silkkv.v1.GetRequest;
import io.silkkv.v1.NodeStatus;
import io.silkkv.v1.RequestHeader;
import io.silkkv.v1.StreamCall;
import io.silkkv.v1.StreamReply;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The gRPC services of a node and everything between them and the replicas: the one object that the
 * node builds to get its request path. Thread-safe.
 *
 * <p>Life: construct, bind {@link #services} to a {@link GrpcEndpoint}, {@link #start}; at the end
 * {@link #beginShutdown} while leaders move away, then {@link #close} before the endpoint closes.
 */
public final class NodeServices implements AutoCloseable {
  /** How exactly deadlines are kept for calls that wait. */
  private static final long SWEEP_MILLIS = 20;

  private static final Duration META_READ_TIMEOUT = Duration.ofSeconds(2);

  private final String nodeId;
  private final ShardMapHolder maps;
  private final LongSupplier nanoTime;
  private final InFlight inFlight;
  private final ReadThreads readThreads;
  private final Forwarder forwarder;
  private final RequestPath path;
  private final MapBootstrap bootstrap;
  private final StatusReport status;
  private final HealthStatusManager healthService = new HealthStatusManager();
  private final ScheduledExecutorService timer;
  private final List<BindableService> services;
  private final CallCounters counters = new CallCounters();
  private final AtomicBoolean shuttingDown = new AtomicBoolean();

  /**
   * Who this node is.
   *
   * @param nodeId its id in the shard map
   * @param version of the software, for the status
   * @param createCluster whether it may write the first shard map of a new cluster
   * @param io what the I/O scheduler of its volume does now, for the status
   */
  public record Identity(
      String nodeId, String version, boolean createCluster, Supplier<IoFigures> io) {}

  /**
   * @param replicas the replicas that live here
   * @param maps the map to start from; kept current from now on
   * @param channels connections to other nodes; closed by its owner after this
   */
  public NodeServices(
      Identity identity,
      ReplicaDirectory replicas,
      ShardMapHolder maps,
      NodeChannels channels,
      RequestPathOptions options,
      NodeHealth health,
      LongSupplier nanoTime) {
    this.nodeId = identity.nodeId();
    this.maps = maps;
    this.nanoTime = nanoTime;
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "silkkv-call-timer");
              thread.setDaemon(true);
              return thread;
            });
    this.bootstrap =
        new MapBootstrap(
            maps,
            replicas,
            this::readMeta,
            new MapBootstrap.Policy(identity.createCluster(), options.mapRefresh()),
            timer,
            nanoTime);
    this.inFlight = new InFlight(options.callsPerNode(), options.bytesPerNode());
    this.readThreads = new ReadThreads(options, inFlight, health, nanoTime);
    CallClock clock = new CallClock(nanoTime, options.defaultTimeout());
    ShardLocator locator = new ShardLocator(maps, bootstrap::refreshSoon);
    LeaderHints leaders = new LeaderHints(nodeId, replicas);
    this.forwarder = new Forwarder(nodeId, locator, leaders, inFlight, channels, nanoTime);
    Limits limits = options.limits();
    LeaderReads reads = new LeaderReads(replicas, forwarder, inFlight, readThreads);
    this.path =
        new RequestPath(
            nodeId,
            maps,
            nanoTime,
            new GetPath(limits, locator, reads, readThreads),
            new WritePath(limits, locator, replicas, forwarder, inFlight),
            new ScanPath(limits, locator, reads, readThreads, new ScanPages(options, nanoTime)));
    this.status = new StatusReport(identity, replicas, maps, health, nanoTime);
    this.services =
        List.of(
            new KvService(path, clock, options, channels.threads(), counters),
            new AdminService(nodeId, replicas, maps, status),
            healthService.getHealthService(),
            ProtoReflectionServiceV1.newInstance());
    maps.onUpdate(map -> healthService.setStatus("", ServingStatus.SERVING));
    healthService.setStatus(
        "", maps.confirmed() ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
  }

  /** Kv, Admin, health and reflection. */
  public List<BindableService> services() {
    return services;
  }

  /** Begins to read the shard map and to end calls whose deadline passes. */
  public void start() {
    bootstrap.start();
    var unused =
        timer.scheduleWithFixedDelay(
            () -> inFlight.expire(nanoTime.getAsLong()),
            SWEEP_MILLIS,
            SWEEP_MILLIS,
            TimeUnit.MILLISECONDS);
  }

  /** Whether the shard map came from the meta shard; calls are refused before that. */
  public boolean mapLoaded() {
    return maps.confirmed();
  }

  /** The state of the node for operators. */
  public NodeStatus status() {
    return status.now();
  }

  /** What became of the calls so far. */
  public CallCounters counters() {
    return counters;
  }

  /** Calls that were sent on to other nodes. */
  public long forwarded() {
    return forwarder.forwarded();
  }

  /** Calls that wait for a log entry, a file or another node. */
  public int callsInFlight() {
    return inFlight.count();
  }

  /** Reads that wait for a thread. */
  public int readsQueued() {
    return readThreads.queued();
  }

  /** Refuses new calls with SHUTTING_DOWN; those in flight go on. */
  public void beginShutdown() {
    if (shuttingDown.compareAndSet(false, true)) {
      path.beginShutdown();
      healthService.enterTerminalState();
    }
  }

  /** Ends what is still in flight, and the threads. Idempotent. */
  @Override
  public void close() {
    beginShutdown();
    timer.shutdownNow();
    inFlight.failAll(call -> Failures.stopped(call, nodeId));
    forwarder.close();
    readThreads.close();
  }

  /** Through the same path as a client's get, so that forwarding and barriers come for free. */
  private CompletableFuture<Optional<ByteString>> readMeta(ByteString key) {
    CompletableFuture<Optional<ByteString>> result = new CompletableFuture<>();
    StreamCall call =
        StreamCall.newBuilder()
            .setGet(
                GetRequest.newBuilder()
                    .setHeader(RequestHeader.newBuilder().setShardId(ShardMap.META_SHARD_ID))
                    .setKey(key))
            .build();
    long deadline = nanoTime.getAsLong() + META_READ_TIMEOUT.toNanos();
    path.handleOwn(
        new PendingCall(call, deadline) {
          @Override
          void deliver(StreamReply.Builder reply) {
            if (reply.hasError()) {
              result.completeExceptionally(KvErrors.toStatus(reply.getError()));
            } else if (reply.getGet().getFound()) {
              result.complete(Optional.of(reply.getGet().getValue()));
            } else {
              result.complete(Optional.empty());
            }
          }
        });
    return result;
  }
}
