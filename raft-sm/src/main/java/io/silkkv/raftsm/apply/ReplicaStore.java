package io.silkkv.raftsm.apply;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.api.EngineClosedException;
import io.silkkv.engine.api.EngineException;
import io.silkkv.engine.api.EngineListener;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.StorageEngine;
import io.silkkv.engine.io.FileSystem;
import io.silkkv.raftsm.command.CommandResult;
import io.silkkv.raftsm.command.LogEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The engine of a replica and everything that must change together with it: the session table, and
 * the rule when the memtable is closed.
 *
 * <p>Locks: one mutex covers applying and rotating, so that the table stored with a flush describes
 * exactly the flushed position. It is the outermost lock: engine locks are taken inside it. Engine
 * callbacks never wait for it, because a thread that applies may itself wait for a flush to free
 * memory; they leave a wish instead, which whoever holds the mutex fulfils after releasing it.
 */
public final class ReplicaStore implements AutoCloseable {
  private final EngineOpener opener;
  private final SessionOptions sessionOptions;
  private final long unflushedLogBytesLimit;
  private final StoreListener listener;
  private final CheckpointSwap swap;
  private final EngineReference reference = new EngineReference();
  private final ReentrantLock mutex = new ReentrantLock();

  @GuardedBy("mutex")
  private @Nullable Open open;

  @GuardedBy("mutex")
  private long logBytesSinceRotation;

  /**
   * Applying failed half-way: the session table may describe commands that the engine does not
   * hold. It must never be stored; a restart starts from the last one that was.
   */
  @GuardedBy("mutex")
  private boolean broken;

  private volatile boolean rotationWanted;
  private volatile int sessionCount;
  private volatile LogPosition applied = LogPosition.NONE;

  /** An engine in use. */
  private record Open(StorageEngine engine, SessionTable sessions, CommandApplier applier) {}

  /**
   * @param directory the replica's own directory
   * @param unflushedLogBytesLimit bytes of applied log after which the memtable is closed however
   *     small it is, because a restart replays them and the log cannot be purged
   */
  public ReplicaStore(
      FileSystem files,
      Path directory,
      EngineOpener opener,
      SessionOptions sessionOptions,
      long unflushedLogBytesLimit,
      StoreListener listener) {
    this.opener = opener;
    this.sessionOptions = sessionOptions;
    this.unflushedLogBytesLimit = unflushedLogBytesLimit;
    this.listener = listener;
    this.swap = new CheckpointSwap(files, directory);
  }

  /**
   * Finishes a swap that a crash interrupted and opens the engine.
   *
   * @return the position after which the log must be replayed
   * @throws EngineException when the engine's files cannot be used
   */
  public LogPosition open() throws IOException {
    mutex.lock();
    try {
      if (open != null) {
        throw new IllegalStateException("already open: " + swap.engine());
      }
      swap.finish();
      return openEngine();
    } finally {
      mutex.unlock();
    }
  }

  /**
   * Applies an entry.
   *
   * @param logBytes size of the entry, counted against the limit of un-flushed log
   * @return one result per command, in order
   */
  public List<CommandResult> apply(LogEntry entry, long term, long index, long logBytes) {
    mutex.lock();
    try {
      Open now = requireOpen();
      List<CommandResult> results = now.applier().apply(entry, term, index);
      sessionCount = now.sessions().size();
      applied = now.engine().applied();
      logBytesSinceRotation += logBytes;
      if (rotationWanted
          || logBytesSinceRotation >= unflushedLogBytesLimit
          || now.engine().wantsRotation()) {
        // A flush that fails is reported through the listener.
        CompletableFuture<LogPosition> unused = rotate(now);
      }
      return results;
    } catch (RuntimeException | Error failure) {
      broken = true;
      throw failure;
    } finally {
      mutex.unlock();
      rotateIfWanted();
    }
  }

  /** Notes an entry that holds no commands: Raft's own entries have indices too. */
  public void skip(long term, long index) {
    mutex.lock();
    try {
      Open now = requireOpen();
      now.applier().skip(term, index);
      applied = now.engine().applied();
    } catch (RuntimeException | Error failure) {
      broken = true;
      throw failure;
    } finally {
      mutex.unlock();
      rotateIfWanted();
    }
  }

  /** Makes everything that is applied now durable. The future completes with its position. */
  public CompletableFuture<LogPosition> flush() {
    mutex.lock();
    try {
      return rotate(requireOpen());
    } catch (EngineException failure) {
      return CompletableFuture.failedFuture(failure);
    } finally {
      mutex.unlock();
      rotateIfWanted();
    }
  }

  /** The engine, for readers; the same object for ever. */
  public StorageEngine engine() {
    return reference;
  }

  /** How far the log is applied; also known while the engine is closed. */
  public LogPosition applied() {
    return applied;
  }

  /** Number of clients whose writes are remembered. */
  public int sessionCount() {
    return sessionCount;
  }

  /** Where to receive a checkpoint. It may hold what an interrupted attempt left. */
  public Path incoming() {
    return swap.incoming();
  }

  /**
   * Declares that the incoming files are complete and durable. From here on the checkpoint is used
   * at the next {@link #reopen} or {@link #open}, whichever comes first.
   *
   * @throws IOException also when an earlier checkpoint still waits for that
   */
  public void commitIncoming() throws IOException {
    // Not while an earlier checkpoint is being swapped in.
    mutex.lock();
    try {
      swap.commit();
    } finally {
      mutex.unlock();
      rotateIfWanted();
    }
  }

  /**
   * Closes the engine, swaps in the committed checkpoint if there is one, and opens what is there.
   *
   * @return the position after which the log must be replayed
   */
  public LogPosition reopen() throws IOException {
    mutex.lock();
    try {
      closeEngine();
      swap.finish();
      return openEngine();
    } finally {
      mutex.unlock();
    }
  }

  /** Closes the engine without flushing: the log holds what is missing. Idempotent. */
  @Override
  public void close() {
    mutex.lock();
    try {
      closeEngine();
    } finally {
      mutex.unlock();
    }
  }

  @GuardedBy("mutex")
  private LogPosition openEngine() throws IOException {
    StorageEngine engine = opener.open(swap.engine(), new Callbacks());
    SessionTable sessions;
    try {
      swap.syncNames();
      sessions = SessionTable.decode(engine.attachment(), sessionOptions);
    } catch (IOException | RuntimeException | Error failure) {
      engine.close();
      throw failure;
    }
    open = new Open(engine, sessions, new CommandApplier(engine, sessions));
    sessionCount = sessions.size();
    logBytesSinceRotation = 0;
    broken = false;
    rotationWanted = false;
    applied = engine.applied();
    reference.set(engine);
    return engine.flushed();
  }

  @GuardedBy("mutex")
  private void closeEngine() {
    if (open != null) {
      reference.set(null);
      open.engine().close();
      open = null;
    }
  }

  @GuardedBy("mutex")
  private Open requireOpen() {
    if (open == null) {
      throw new EngineClosedException(swap.engine().toString());
    }
    if (broken) {
      throw new EngineClosedException(
          swap.engine() + " (a log entry could not be applied; restart the node)");
    }
    return open;
  }

  @GuardedBy("mutex")
  private CompletableFuture<LogPosition> rotate(Open now) {
    rotationWanted = false;
    logBytesSinceRotation = 0;
    return now.engine().rotate(now.sessions().encode());
  }

  /** The mutex must not be held: it is tried, and the holder looks again after releasing it. */
  private void rotateIfWanted() {
    while (rotationWanted && mutex.tryLock()) {
      try {
        if (rotationWanted && open != null && !broken) {
          CompletableFuture<LogPosition> unused = rotate(open);
        }
        rotationWanted = false;
      } finally {
        mutex.unlock();
      }
    }
  }

  private final class Callbacks implements EngineListener {
    @Override
    public void flushWanted() {
      rotationWanted = true;
      rotateIfWanted();
    }

    @Override
    public void flushed(LogPosition position) {
      listener.flushed(position);
    }

    @Override
    public void damaged(CorruptionException cause) {
      listener.damaged(cause);
    }

    @Override
    public void failed(EngineException cause) {
      listener.failed(cause);
    }
  }
}
