package io.silkkv.raftsm;

import io.grpc.BindableService;
import io.silkkv.engine.EngineOptions;
import io.silkkv.engine.EngineResources;
import io.silkkv.engine.LsmEngine;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.io.FileSystem;
import io.silkkv.raftsm.apply.EngineOpener;
import io.silkkv.raftsm.transfer.CheckpointFetcher;
import io.silkkv.raftsm.transfer.CheckpointService;
import io.silkkv.raftsm.transfer.CheckpointSource;
import io.silkkv.raftsm.transport.RaftTransport;
import io.silkkv.raftsm.transport.ReplicationMeter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.statemachine.StateMachine;
import org.jspecify.annotations.Nullable;

/**
 * All replicas of a node. One per process. Thread-safe.
 *
 * <p>{@link #start} brings back the groups that are on the disk; {@link #open} gives access to them
 * and adds new ones. Before {@link #close} the node hands over leadership with {@link
 * ShardReplica#transferLeadership}.
 */
public final class ReplicaServer implements AutoCloseable {
  /** Tasks that wait for a thread; beyond it tasks are refused, which callers are told. */
  private static final int QUEUED_TASKS = 4_096;

  private static final int TRANSFER_THREADS = 2;
  private static final long STOP_SECONDS = 5;

  private final ReplicaServerOptions options;
  private final FileSystem files;
  private final EngineOpener opener;
  private final ReplicaListener listener;
  private final RaftTransport transport;
  private final ExecutorService readers;
  private final ExecutorService fetchers;
  private final ExecutorService proposers;
  private final ScheduledThreadPoolExecutor proposeTimer;
  private final ExecutorService reclaimers;
  private final CheckpointService checkpoints;
  private final CheckpointFetcher fetcher;

  /** The newest state machine of each shard; the Raft library may make a second one. */
  private final ConcurrentMap<Long, KvStateMachine> machines = new ConcurrentHashMap<>();

  private final ConcurrentMap<Long, ShardReplica> replicas = new ConcurrentHashMap<>();

  /** Set right after construction, before this object is handed out. */
  private @Nullable RaftHost host;

  private ReplicaServer(
      ReplicaServerOptions options,
      FileSystem files,
      EngineOpener opener,
      ReplicaListener listener,
      PeerChannels channels,
      LongSupplier nanoTime) {
    this.options = options;
    this.files = files;
    this.opener = opener;
    this.listener = listener;
    this.transport = RaftHost.transport(options.raft(), nanoTime);
    this.readers = threads("checkpoint-read", TRANSFER_THREADS);
    this.fetchers = threads("checkpoint-fetch", TRANSFER_THREADS);
    this.reclaimers = threads("log-reclaim", 1);
    this.proposers =
        threads("propose", Math.max(2, Math.min(8, Runtime.getRuntime().availableProcessors())));
    // Holds one task per shard at most.
    this.proposeTimer = new ScheduledThreadPoolExecutor(1, thread("propose-timer"));
    this.fetcher =
        new CheckpointFetcher(
            files, channels::channel, options.transfer(), fetchers, transport.meter());
    this.checkpoints =
        new CheckpointService(
            new CheckpointService.Environment(
                files,
                options.shardsDirectory(),
                options.transfer(),
                readers,
                transport.meter(),
                nanoTime),
            this::checkpointSource);
  }

  /**
   * Starts a node's replicas.
   *
   * @param resources shared by the engines; stays the caller's
   * @param listener told when the process cannot go on
   * @param channels reaches the gRPC ports of other nodes
   * @param nanoTime a clock that never goes back
   * @throws java.net.BindException when the Raft port is taken
   * @throws IOException when what is on the disk cannot be used; the message or its cause names it
   */
  public static ReplicaServer start(
      ReplicaServerOptions options,
      EngineResources resources,
      EngineOptions engineOptions,
      ReplicaListener listener,
      PeerChannels channels,
      LongSupplier nanoTime)
      throws IOException {
    EngineOpener opener =
        (directory, engineListener) ->
            LsmEngine.open(directory, engineOptions, resources, engineListener);
    return start(options, resources.files(), opener, listener, channels, nanoTime);
  }

  static ReplicaServer start(
      ReplicaServerOptions options,
      FileSystem files,
      EngineOpener opener,
      ReplicaListener listener,
      PeerChannels channels,
      LongSupplier nanoTime)
      throws IOException {
    ReplicaServer server = new ReplicaServer(options, files, opener, listener, channels, nanoTime);
    boolean started = false;
    try {
      server.start();
      started = true;
      return server;
    } finally {
      if (!started) {
        server.close();
      }
    }
  }

  private void start() throws IOException {
    files.createDirectories(options.shardsDirectory());
    checkpoints.removeStale();
    RaftHost started = RaftHost.start(options, transport, this::newMachine, listener);
    started.everyTick(checkpoints::tick);
    started.everyTick(() -> machines.values().forEach(each -> each.tick(reclaimers)));
    host = started;
  }

  private StateMachine newMachine(RaftGroupId group) {
    long shardId = group.getUuid().getLeastSignificantBits();
    KvStateMachine machine =
        new KvStateMachine(
            shardId,
            options.shardDirectory(shardId),
            files,
            opener,
            options.replicas(),
            listener,
            new Checkpoints());
    machines.put(shardId, machine);
    return machine;
  }

  private @Nullable CheckpointSource checkpointSource(long shardId) {
    KvStateMachine machine = machines.get(shardId);
    return machine == null
        ? null
        : new CheckpointSource(machine.store().engine(), machine.store()::flush);
  }

  /**
   * The replica of a shard. A shard that is not on this node yet gets an empty replica with the
   * given peers; for one that is, the peers in its log count.
   *
   * @throws UncheckedIOException when the replica cannot be started
   */
  public synchronized ShardReplica open(ShardSpec spec) {
    ShardReplica known = replicas.get(spec.shardId());
    if (known != null) {
      return known;
    }
    try {
      var division = requireHost().open(spec);
      KvStateMachine machine = machines.get(spec.shardId());
      if (machine == null) {
        throw new IllegalStateException("shard " + spec.shardId() + " has no state machine");
      }
      machine.dropOutdatedLog(division.getRaftLog());
      ShardReplica replica =
          new ShardReplica(
              spec.shardId(),
              machine,
              division,
              transport.gate(RaftGroupId.valueOf(spec.groupId())),
              options.replicas().proposals(),
              InstantSource.system(),
              new ProposalThreads(proposers, this::afterMicros));
      replicas.put(spec.shardId(), replica);
      return replica;
    } catch (IOException e) {
      throw new UncheckedIOException("shard " + spec.shardId() + " cannot be opened", e);
    }
  }

  /** The open replica of a shard; null when {@link #open} was not called for it. */
  public @Nullable ShardReplica replica(long shardId) {
    return replicas.get(shardId);
  }

  /** All open replicas. */
  public Collection<ShardReplica> replicas() {
    return List.copyOf(replicas.values());
  }

  /** The service {@code silkkv.v1.Transfer}, to be bound by the node's gRPC server. */
  public BindableService transferService() {
    return checkpoints;
  }

  /**
   * Bytes of entries that were written to the logs of this node and applied since the start. Goes
   * back when a replica leaves the node.
   */
  public long loggedBytes() {
    return machines.values().stream().mapToLong(KvStateMachine::appliedBytes).sum();
  }

  /** Bytes moved by replication since the start. */
  public ReplicationMeter.Totals replication() {
    return transport.meter().totals();
  }

  private RaftHost requireHost() {
    if (host == null) {
      throw new IllegalStateException("this replica server is not started");
    }
    return host;
  }

  /** Stops all replicas. What was acknowledged is in the log; nothing is flushed. */
  @Override
  public void close() {
    replicas.values().forEach(ShardReplica::close);
    fetcher.close();
    fetchers.shutdownNow();
    try {
      if (host != null) {
        host.close();
      }
    } finally {
      proposeTimer.shutdownNow();
      proposers.shutdownNow();
      readers.shutdownNow();
      reclaimers.shutdownNow();
      awaitEnd();
    }
  }

  private void awaitEnd() {
    try {
      for (ExecutorService pool : List.of(fetchers, proposers, proposeTimer, readers, reclaimers)) {
        boolean unused = pool.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private ExecutorService threads(String name, int count) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            count,
            count,
            30,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(QUEUED_TASKS),
            thread(name));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private ThreadFactory thread(String name) {
    return task -> {
      Thread thread = new Thread(task, options.peerId() + "-" + name);
      thread.setDaemon(true);
      return thread;
    };
  }

  private void afterMicros(int micros, Runnable task) {
    var unused = proposeTimer.schedule(task, micros, TimeUnit.MICROSECONDS);
  }

  /** What the state machines see of the transfer of checkpoints. */
  private final class Checkpoints implements CheckpointInstaller {
    @Override
    public CompletableFuture<LogPosition> fetch(
        long shardId, String fromPeerId, long minIndex, Path incoming) {
      return fetcher.fetch(shardId, fromPeerId, minIndex, incoming);
    }

    @Override
    public boolean serves(long shardId) {
      return checkpoints.serves(shardId);
    }
  }
}
