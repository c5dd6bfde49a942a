package io.silkkv.raftsm;

import io.silkkv.raftsm.transport.RaftTransport;
import io.silkkv.raftsm.transport.ReadGate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachine;
import org.apache.ratis.util.ExitUtils;
import org.apache.ratis.util.LifeCycle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Raft library's server of a node and the groups in it. Knows nothing of what the groups
 * replicate. Thread-safe.
 */
final class RaftHost implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RaftHost.class);
  private static final long WATCH_MILLIS = 100;
  private static final long ADD_TIMEOUT_SECONDS = 300;

  private final RaftServer server;
  private final RaftTransport transport;
  private final ReplicaListener listener;
  private final ScheduledExecutorService watcher;
  private final AtomicLong callId = new AtomicLong();
  private final AtomicBoolean closing = new AtomicBoolean();

  /** Run by the watcher each time it looks. */
  private final List<Runnable> tasks = new CopyOnWriteArrayList<>();

  /** Groups that are being taken out on purpose. */
  private final Set<RaftGroupId> leaving = ConcurrentHashMap.newKeySet();

  /** Groups whose end was reported. */
  private final Set<RaftGroupId> reported = ConcurrentHashMap.newKeySet();

  private RaftHost(RaftServer server, RaftTransport transport, ReplicaListener listener) {
    this.server = server;
    this.transport = transport;
    this.listener = listener;
    this.watcher =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, server.getId() + "-raft-watcher");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** The transport that {@link #start} takes; once per server. */
  static RaftTransport transport(RaftSettings settings, LongSupplier nanoTime) {
    return new RaftTransport(
        settings.electionTimeoutMin(), settings.leaseRatio(), settings.readTimeout(), nanoTime);
  }

  /**
   * Starts the server with all groups that are on the disk.
   *
   * @throws BindException when the Raft port is taken
   * @throws IOException when a group cannot be recovered; the message names it
   */
  static RaftHost start(
      ReplicaServerOptions options,
      RaftTransport transport,
      StateMachine.Registry machines,
      ReplicaListener listener)
      throws IOException {
    checkPort(options.raftHost(), options.raftPort());
    keepLibraryFromExiting();
    Files.createDirectories(options.raftDirectory());
    Files.createDirectories(options.removedDirectory());
    RaftProperties properties =
        options
            .raft()
            .toProperties(
                options.raftDirectory(),
                options.removedDirectory(),
                options.raftHost(),
                options.raftPort());
    RaftServer server =
        RaftServer.newBuilder()
            .setServerId(RaftPeerId.valueOf(options.peerId()))
            .setProperties(properties)
            .setParameters(transport.parameters())
            .setStateMachineRegistry(machines)
            .setOption(RaftStorage.StartupOption.RECOVER)
            .build();
    transport.attach(server);
    try {
      server.start();
    } catch (ExitUtils.ExitException e) {
      server.close();
      throw new IOException("cannot start the Raft server: " + e.getMessage(), e);
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
    RaftHost host = new RaftHost(server, transport, listener);
    host.watch();
    return host;
  }

  /**
   * The library ends the process when it cannot bind; ending the process is the node's decision.
   */
  private static void keepLibraryFromExiting() {
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    ExitUtils.disableSystemExit();
    // The line above also replaced the handler of the whole process.
    Thread.setDefaultUncaughtExceptionHandler(before);
  }

  private static void checkPort(String host, int port) throws IOException {
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(InetAddress.getByName(host), port));
    } catch (BindException e) {
      BindException named =
          new BindException(
              "cannot bind the Raft address "
                  + host
                  + ":"
                  + port
                  + ": "
                  + e.getMessage()
                  + "; stop the process that uses it or configure another raft-address");
      named.initCause(e);
      throw named;
    }
  }

  /** Lets the watcher run a short task every 100 ms. */
  void everyTick(Runnable task) {
    tasks.add(task);
  }

  RaftServer server() {
    return server;
  }

  RaftTransport transport() {
    return transport;
  }

  ReadGate gate(RaftGroupId group) {
    return transport.gate(group);
  }

  /**
   * The group of a shard; added when it is not here yet.
   *
   * @throws IOException when it cannot be started
   */
  synchronized RaftServer.Division open(ShardSpec spec) throws IOException {
    RaftGroupId id = RaftGroupId.valueOf(spec.groupId());
    if (isHere(id)) {
      RaftServer.Division division = server.getDivision(id);
      if (!division.getRaftConf().getCurrentPeers().isEmpty() || spec.peers().isEmpty()) {
        return division;
      }
      // The last process ended before the group's first configuration reached the disk. Its vote
      // may have: so the directory stays, and only the members are given to it again.
      LOG.warn("group {} has no members on disk: it starts again with {}", id, spec.peers());
      leaving.add(id);
      request(GroupManagementRequest.newRemove(client(), server.getId(), call(), id, false, false));
    }
    RaftGroup group = RaftGroup.valueOf(id, peers(spec.peers()));
    // "Not formatted" means: take what is on the disk, if there is anything.
    request(GroupManagementRequest.newAdd(client(), server.getId(), call(), group, false));
    // When one of the requests above failed, the caller was told and the group stays "leaving".
    leaving.remove(id);
    return server.getDivision(id);
  }

  private boolean isHere(RaftGroupId id) {
    for (RaftGroupId other : server.getGroupIds()) {
      if (other.equals(id)) {
        return true;
      }
    }
    return false;
  }

  private static List<RaftPeer> peers(Collection<PeerSpec> specs) {
    return specs.stream()
        .map(p -> RaftPeer.newBuilder().setId(p.peerId()).setAddress(p.raftAddress()).build())
        .toList();
  }

  private static ClientId client() {
    return ClientId.randomId();
  }

  private long call() {
    return callId.incrementAndGet();
  }

  private void request(GroupManagementRequest request) throws IOException {
    CompletableFuture<RaftClientReply> reply = server.groupManagementAsync(request);
    try {
      RaftClientReply answer = reply.get(ADD_TIMEOUT_SECONDS, TimeUnit.SECONDS);
      if (!answer.isSuccess()) {
        throw new IOException("the Raft server refused " + request, answer.getException());
      }
    } catch (ExecutionException e) {
      throw new IOException("the Raft server failed at " + request, e.getCause());
    } catch (TimeoutException e) {
      throw new IOException(
          "the Raft server did not finish in " + ADD_TIMEOUT_SECONDS + " s: " + request, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted during " + request, e);
    }
  }

  private void watch() {
    // Ends with the executor; look() keeps its failures to itself.
    var unused =
        watcher.scheduleWithFixedDelay(
            this::look, WATCH_MILLIS, WATCH_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** A closed group answers nobody and says nothing, so somebody has to look. */
  private void look() {
    if (closing.get()) {
      return;
    }
    // First and whatever happens to the rest, which is less important.
    guarded("looking at the Raft groups", this::lookAtGroups);
    guarded("the clock of the read gates", transport::tick);
    for (Runnable task : tasks) {
      guarded("a periodic task", task);
    }
  }

  /** A task that threw would not be run again. */
  private void guarded(String what, Runnable task) {
    try {
      task.run();
    } catch (RuntimeException e) {
      LOG.error("{} of {} failed", what, server.getId(), e);
    } catch (Error e) {
      listener.fatal(what + " of " + server.getId() + " failed", e);
    }
  }

  private void lookAtGroups() {
    LifeCycle.State state = server.getLifeCycleState();
    if (ended(state) && !closing.get()) {
      listener.fatal(
          "the Raft server of " + server.getId() + " is " + state,
          new IllegalStateException("the Raft library closed itself, see its log messages"));
      return;
    }
    for (RaftGroupId id : server.getGroupIds()) {
      look(id);
    }
  }

  private void look(RaftGroupId id) {
    // Before the state is read, because a group that is re-created may run again after it; and
    // after, because it may have begun to leave in between.
    boolean onPurpose = leaving.contains(id);
    LifeCycle.State state;
    try {
      state = server.getDivision(id).getInfo().getLifeCycleState();
    } catch (IOException e) {
      // Removed since its id was listed.
      LOG.debug("group {} is gone", id, e);
      return;
    }
    onPurpose |= leaving.contains(id);
    if (ended(state) && !closing.get() && !onPurpose && reported.add(id)) {
      listener.fatal(
          "the Raft group of shard " + id.getUuid().getLeastSignificantBits() + " is " + state,
          new IllegalStateException("the Raft library closed the group, see its log messages"));
    }
  }

  private static boolean ended(LifeCycle.State state) {
    return state == LifeCycle.State.CLOSING
        || state == LifeCycle.State.CLOSED
        || state == LifeCycle.State.EXCEPTION;
  }

  @Override
  public void close() {
    if (closing.compareAndSet(false, true)) {
      watcher.shutdownNow();
      try {
        server.close();
      } catch (IOException e) {
        throw new UncheckedIOException("stopping the Raft server failed", e);
      }
    }
  }
}
