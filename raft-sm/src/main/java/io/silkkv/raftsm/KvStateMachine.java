package io.silkkv.raftsm;

import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.api.EngineException;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.io.FileSystem;
import io.silkkv.raftsm.apply.EngineOpener;
import io.silkkv.raftsm.apply.ReplicaStore;
import io.silkkv.raftsm.apply.StoreListener;
import io.silkkv.raftsm.command.CommandResult;
import io.silkkv.raftsm.command.EntryCodec;
import io.silkkv.raftsm.command.LogEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SnapshotManagementRequest;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects Ratis to the {@link ReplicaStore} of one shard; decides nothing about data.
 *
 * <p>A Ratis snapshot is nothing but the flushed position of the engine: it costs no copy, and
 * after a restart Ratis replays exactly what comes after it. Three positions matter:
 *
 * <ul>
 *   <li>applied: what the engine shows; Ratis drops cached entries up to it.
 *   <li>durable: the engine's flushed position; what {@link #takeSnapshot} answers. Never goes back
 *       and never passes applied; Ratis closes the replica otherwise.
 *   <li>reported: the last answer of {@link #takeSnapshot}, or a received checkpoint; what {@link
 *       #getLatestSnapshot} answers. Ratis only takes a snapshot, and so only purges its log, when
 *       this one is behind.
 * </ul>
 *
 * <p>Threads: Ratis applies entries and reinitializes on one thread per shard, starts transactions
 * on the proposing thread, and sends notifications from any thread, some while it holds its lock.
 * Nothing here holds a lock while it calls Ratis. A failure to apply, and a failed log, are
 * reported as fatal: a replica that skipped an entry would differ from the others for ever.
 */
public final class KvStateMachine extends BaseStateMachine {
  private static final Logger LOG = LoggerFactory.getLogger(KvStateMachine.class);
  private static final long LOG_END_UNKNOWN = Long.MIN_VALUE;
  private static final long SNAPSHOT_TIMEOUT_MILLIS = 60_000;

  /** Flushed log that is kept at most for the receiver of a checkpoint. */
  private static final long HELD_LOG_BYTES = 1L << 30;

  private static final Duration INSTALL_LIMIT = Duration.ofSeconds(60);

  private final long shardId;
  private final Path shardDir;
  private final FileSystem files;
  private final ReplicaStore store;
  private final ReplicaListener listener;
  private final CheckpointInstaller checkpoints;
  private final SnapshotTrigger trigger;
  private final ClientId clientId = ClientId.randomId();
  private final AtomicLong callId = new AtomicLong();
  private final CheckpointDownload download;

  // Both only grow; updated by compare-and-set under this object's small lock.
  private volatile LogPosition durable = LogPosition.NONE;
  private volatile LogPosition reported = LogPosition.NONE;

  /** Set when Ratis hands over the log's directory, before anything is flushed. */
  private volatile @Nullable LogReclaimer reclaimer;

  /** Bytes of log that were applied since the start. */
  private final AtomicLong appliedBytes = new AtomicLong();

  /** What {@link #appliedBytes} was when the reported position moved last. */
  private volatile long appliedBytesAtReport;

  /** Whether a snapshot waits for the receiver of a checkpoint. */
  private volatile boolean snapshotHeld;

  private volatile long logEndAtStart = LOG_END_UNKNOWN;
  private final AtomicLong replayedEntries = new AtomicLong();
  private final AtomicLong installedCheckpoints = new AtomicLong();

  /**
   * @param shardDir the replica's own directory, without the Raft log
   * @param checkpoints brings checkpoints when the log of the others does not reach back far
   *     enough, and knows who fetches one from here
   */
  public KvStateMachine(
      long shardId,
      Path shardDir,
      FileSystem files,
      EngineOpener opener,
      ReplicaOptions options,
      ReplicaListener listener,
      CheckpointInstaller checkpoints) {
    this.shardId = shardId;
    this.shardDir = shardDir;
    this.files = files;
    this.listener = listener;
    this.checkpoints = checkpoints;
    this.store =
        new ReplicaStore(
            files,
            shardDir,
            opener,
            options.sessions(),
            options.unflushedLogBytes(),
            new StoreEvents());
    this.trigger =
        new SnapshotTrigger(
            "shard " + shardId, this::durable, this::snapshotWouldHelp, this::requestSnapshot);
    this.download =
        new CheckpointDownload(
            shardId, store, checkpoints, listener, CheckpointDownload.after(INSTALL_LIMIT));
  }

  ReplicaStore store() {
    return store;
  }

  /** Bytes of log that were applied since the start; each was written to the log here before. */
  long appliedBytes() {
    return appliedBytes.get();
  }

  LogPosition durable() {
    return durable;
  }

  /** Makes everything that is applied now durable. */
  CompletableFuture<LogPosition> flush() {
    // The engine's own notice may come a little later than its future.
    return store
        .flush()
        .thenApply(
            position -> {
              flushed(position);
              return position;
            });
  }

  private void flushed(LogPosition position) {
    advanceDurable(position);
    trigger.run();
  }

  /** Whether a snapshot would tell Ratis something new. */
  private boolean snapshotWouldHelp() {
    if (!durable.isAfter(reported)) {
      return false;
    }
    if (holdsLog()) {
      snapshotHeld = true;
      return false;
    }
    return true;
  }

  /**
   * Ratis purges the log at a snapshot. While a checkpoint travels, and until its receiver has
   * asked for what comes after it, that log is kept: under load the receiver would need the next
   * checkpoint otherwise, and so on.
   */
  private boolean holdsLog() {
    return appliedBytes.get() - appliedBytesAtReport < HELD_LOG_BYTES
        && checkpoints.serves(shardId);
  }

  /**
   * Asks for a snapshot that was held back, when nobody needs the log any more.
   *
   * @param background for what takes longer
   */
  void tick(Executor background) {
    if (snapshotHeld && !holdsLog()) {
      snapshotHeld = false;
      trigger.run();
    }
    LogReclaimer purged = reclaimer;
    if (purged != null) {
      purged.tick(background);
    }
  }

  private CompletableFuture<Boolean> requestSnapshot() {
    RaftServer server = getServer().getNow(null);
    if (server == null) {
      return CompletableFuture.completedFuture(false);
    }
    LogReclaimer purged = reclaimer;
    if (purged != null) {
      purged.keepUntilPurged(durable.index());
    }
    return server
        .snapshotManagementAsync(
            SnapshotManagementRequest.newCreate(
                clientId,
                server.getId(),
                getGroupId(),
                callId.incrementAndGet(),
                SNAPSHOT_TIMEOUT_MILLIS,
                1))
        .thenApply(RaftClientReply::isSuccess);
  }

  long replayedEntries() {
    return replayedEntries.get();
  }

  long installedCheckpoints() {
    return installedCheckpoints.get();
  }

  // ---- start, replacement, end

  @Override
  public void initialize(RaftServer server, RaftGroupId groupId, RaftStorage storage)
      throws IOException {
    getLifeCycle()
        .startAndTransition(
            () -> {
              super.initialize(server, groupId, storage);
              Path log = storage.getStorageDir().getCurrentDir().toPath();
              reclaimer = new LogReclaimer(files, log, shardDir.resolve("purged-log"));
              startAt(store.open());
            },
            IOException.class);
  }

  /** Called under Ratis' lock when a received checkpoint is about to replace the engine. */
  @Override
  public void pause() {
    getLifeCycle().transition(LifeCycle.State.PAUSING);
    getLifeCycle().transition(LifeCycle.State.PAUSED);
    LogPosition received = download.install();
    if (received != null) {
      report(received);
    }
  }

  /** Called on the applying thread after {@link #pause}. */
  @Override
  public void reinitialize() throws IOException {
    try {
      getLifeCycle()
          .startAndTransition(
              () -> {
                LogPosition position = store.reopen();
                startAt(position);
                installedCheckpoints.incrementAndGet();
                LOG.info("{}: now at the received checkpoint {}", this, position);
              },
              IOException.class);
    } catch (IOException | RuntimeException failure) {
      listener.fatal(this + " cannot install a checkpoint", failure);
      throw failure;
    }
  }

  @Override
  public void close() {
    download.close();
    getLifeCycle().checkStateAndClose(store::close);
  }

  /**
   * To be called once the log is open. When a crash kept a received checkpoint from replacing the
   * engine, and the start made up for it, the log still ends before the checkpoint. Ratis drops
   * such a log, but not the file that it was writing, and then refuses every later entry as a gap.
   */
  void dropOutdatedLog(RaftLog log) {
    LogPosition position = reported;
    TermIndex last = log.getLastEntryTermIndex();
    if (last == null || last.getIndex() >= position.index()) {
      return;
    }
    LOG.info("{}: the log ends at {}, the engine's files at {}", this, last, position);
    CompletableFuture<Long> unused =
        log.onSnapshotInstalled(position.index())
            .whenComplete(
                (purged, failure) -> {
                  if (failure != null) {
                    listener.fatal(this + " cannot drop its outdated log", failure);
                  }
                });
  }

  private void startAt(LogPosition position) {
    setLastAppliedTermIndex(termIndex(position));
    advanceDurable(position);
    report(position);
  }

  // ---- snapshots

  @Override
  public long takeSnapshot() {
    LogPosition position = durable;
    report(position);
    return position.index();
  }

  @Override
  public @Nullable SnapshotInfo getLatestSnapshot() {
    LogPosition position = reported;
    return position.index() < 0 ? null : new FlushedSnapshot(termIndex(position));
  }

  @Override
  public CompletableFuture<TermIndex> notifyInstallSnapshotFromLeader(
      RoleInfoProto role, TermIndex firstAvailable) {
    if (firstAvailable.getIndex() <= 0) {
      // The leader has its whole log: it only asks because this replica is new to it.
      return CompletableFuture.completedFuture(null);
    }
    String leader = role.getFollowerInfo().getLeaderInfo().getId().getId().toStringUtf8();
    // Below the end of our log Ratis would find entries that it thinks it has not written.
    long minIndex = Math.max(firstAvailable.getIndex() - 1, lastLogIndex());
    return download.start(leader, minIndex).thenApply(KvStateMachine::termIndex);
  }

  /** Called under Ratis' lock, before it looks at what the new leader sent. */
  @Override
  public void notifyLeaderChanged(RaftGroupMemberId member, RaftPeerId leader) {
    LOG.info("{}: led by {}", this, leader);
    download.leaderIs(leader.toString());
  }

  private synchronized void advanceDurable(LogPosition position) {
    if (position.isAfter(durable)) {
      durable = position;
    }
  }

  private synchronized void report(LogPosition position) {
    if (position.isAfter(reported)) {
      reported = position;
      appliedBytesAtReport = appliedBytes.get();
    }
  }

  // ---- entries

  @Override
  public TransactionContext startTransaction(RaftClientRequest request) {
    rememberLogEnd();
    boolean ours = request.getMessage() instanceof EntryMessage;
    TransactionContext.Builder context =
        TransactionContext.newBuilder().setStateMachine(this).setClientRequest(request);
    if (request.getMessage() instanceof EntryMessage message) {
      context.setLogData(message.getContent()).setStateMachineContext(message.proposal());
    } else {
      context.setLogData(ByteString.EMPTY);
    }
    TransactionContext built = context.build();
    return ours
        ? built
        : built.setException(
            new IOException(this + " takes commands only through its own node's API"));
  }

  @Override
  public TransactionContext startTransaction(LogEntryProto entry, RaftPeerRole role) {
    rememberLogEnd();
    return super.startTransaction(entry, role);
  }

  /** Called right before the entry is appended, in log order. Must not refuse. */
  @Override
  public TransactionContext preAppendTransaction(TransactionContext context) {
    if (context.getStateMachineContext() instanceof Proposal proposal) {
      proposal.markAppended();
    }
    return context;
  }

  @Override
  public CompletableFuture<Message> applyTransaction(TransactionContext context) {
    LogEntryProto raw = context.getLogEntry();
    long term = raw.getTerm();
    long index = raw.getIndex();
    rememberLogEnd();
    try {
      ByteString bytes = raw.getStateMachineLogEntry().getLogData();
      if (context.getStateMachineContext() instanceof Proposal proposal) {
        List<CommandResult> results = store.apply(proposal.entry(), term, index, bytes.size());
        updateLastAppliedTermIndex(term, index);
        proposal.complete(results);
      } else {
        LogEntry entry = EntryCodec.decode(bytes.toByteArray());
        List<CommandResult> unused = store.apply(entry, term, index, bytes.size());
        updateLastAppliedTermIndex(term, index);
      }
    } catch (RuntimeException | Error failure) {
      listener.fatal(this + " cannot apply log entry " + index + " of term " + term, failure);
      throw failure;
    }
    appliedBytes.addAndGet(raw.getStateMachineLogEntry().getLogData().size());
    if (index <= logEndAtStart) {
      replayedEntries.incrementAndGet();
    }
    return CompletableFuture.completedFuture(Message.EMPTY);
  }

  /** Raft's own entries: they hold nothing for us, but the position must pass them. */
  @Override
  public void notifyTermIndexUpdated(long term, long index) {
    try {
      store.skip(term, index);
      updateLastAppliedTermIndex(term, index);
    } catch (RuntimeException | Error failure) {
      listener.fatal(this + " cannot pass log entry " + index + " of term " + term, failure);
      throw failure;
    }
  }

  @Override
  public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto entry) {
    // Ratis lives on as a zombie: every later write to its log fails, and followers are misled.
    String what = entry == null ? "" : " at entry " + entry.getIndex();
    listener.fatal(this + " cannot write its Raft log" + what, cause);
  }

  /** The end of the log before anything is added to it: what is applied up to there is a replay. */
  private void rememberLogEnd() {
    if (logEndAtStart == LOG_END_UNKNOWN) {
      logEndAtStart = lastLogIndex();
    }
  }

  private long lastLogIndex() {
    try {
      TermIndex last =
          getServer().join().getDivision(getGroupId()).getRaftLog().getLastEntryTermIndex();
      return last == null ? -1 : last.getIndex();
    } catch (IOException gone) {
      LOG.debug("{}: the group is being removed", this, gone);
      return -1;
    }
  }

  private static TermIndex termIndex(LogPosition position) {
    return position.index() < 0
        ? TermIndex.INITIAL_VALUE
        : TermIndex.valueOf(position.term(), position.index());
  }

  @Override
  public String toString() {
    return "shard " + shardId;
  }

  private final class StoreEvents implements StoreListener {
    @Override
    public void flushed(LogPosition position) {
      KvStateMachine.this.flushed(position);
    }

    @Override
    public void damaged(CorruptionException cause) {
      // The engine goes on without the damaged part. Ending the process would take all healthy
      // shards of the node along, and the next start would find the same damage.
      LOG.error(
          "{} has a damaged file; restore its engine directory from a healthy replica",
          KvStateMachine.this,
          cause);
    }

    @Override
    public void failed(EngineException cause) {
      listener.fatal("the engine of " + KvStateMachine.this + " failed", cause);
    }
  }
}
