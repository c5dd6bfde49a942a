package io.silkkv.engine.flush;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.memtable.MemTable;
import io.silkkv.engine.version.VersionEdit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Rotations in the order in which they have to become durable. Its length is bounded by the owner,
 * which stops to rotate when the engine says so. Thread-safe; its lock is a leaf.
 */
public final class FlushQueue {
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final Deque<PendingFlush> pending = new ArrayDeque<>();

  @GuardedBy("lock")
  private @Nullable RuntimeException failure;

  // Read by admission on every write, so kept beside the queue.
  private volatile int waitingMemtables;
  private volatile long waitingBytes;

  /**
   * Appends a rotation and keeps a reference to its memtable.
   *
   * @return completes when the rotation is durable
   */
  public CompletableFuture<LogPosition> add(
      @Nullable MemTable memtable, VersionEdit.Flushed flushed) {
    PendingFlush flush = new PendingFlush(memtable, flushed, new CompletableFuture<>());
    synchronized (lock) {
      if (failure != null) {
        flush.done().completeExceptionally(failure);
        return flush.done();
      }
      if (memtable != null) {
        memtable.retain();
      }
      pending.add(flush);
      recount();
    }
    return flush.done();
  }

  /** The rotation that is next, which stays in the queue until {@link #removeFirst}. */
  public @Nullable PendingFlush peek() {
    synchronized (lock) {
      return pending.peekFirst();
    }
  }

  /** The rotation that was added last and is not durable yet. */
  public @Nullable PendingFlush newest() {
    synchronized (lock) {
      return pending.peekLast();
    }
  }

  /**
   * Takes the first rotation out, which is durable now; the caller completes its future. Does
   * nothing when {@link #fail} has emptied the queue meanwhile.
   */
  public void removeFirst() {
    PendingFlush first;
    synchronized (lock) {
      first = pending.pollFirst();
      recount();
    }
    if (first != null && first.memtable() != null) {
      first.memtable().release();
    }
  }

  /** Fails all rotations that wait and all that come later. The first cause stays. */
  public void fail(RuntimeException cause) {
    List<PendingFlush> failed;
    synchronized (lock) {
      if (failure == null) {
        failure = cause;
      }
      failed = new ArrayList<>(pending);
      pending.clear();
      recount();
    }
    for (PendingFlush flush : failed) {
      if (flush.memtable() != null) {
        flush.memtable().release();
      }
      flush.done().completeExceptionally(cause);
    }
  }

  /** Memtables that wait for their flush or are being flushed. */
  public int waitingMemtables() {
    return waitingMemtables;
  }

  /** Their memory in bytes. */
  public long waitingBytes() {
    return waitingBytes;
  }

  @GuardedBy("lock")
  private void recount() {
    waitingMemtables = (int) pending.stream().filter(flush -> flush.memtable() != null).count();
    waitingBytes = pending.stream().mapToLong(PendingFlush::bytes).sum();
  }
}
