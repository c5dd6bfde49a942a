package io.silkkv.engine.read;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.engine.api.EngineClosedException;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.Probe;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.VersionedValue;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.memtable.MemTable;
import io.silkkv.engine.version.LiveSequences;
import io.silkkv.engine.version.Version;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The state that readers see now, and the views that are pinned to an earlier sequence.
 *
 * <p>A reader must not combine a sequence with memtables that were rotated away before it: it takes
 * the state, then the sequence, and starts over when the state has changed meanwhile. A writer adds
 * to the active memtable first and publishes the sequence afterwards.
 *
 * <p>A view pins its sequence, not memory: after every change of the state it moves on to the new
 * one, which still holds every version that it can see, because flushes and compactions keep what
 * {@link #liveSequences} asks for. So a long view holds back neither memtable memory nor files;
 * only an open cursor does.
 *
 * <p>Thread-safe. The lock is held for a few assignments only; it is taken inside the edit lock of
 * the version set, and nothing but reference counts and the slab pool is touched under it.
 */
public final class PublishedState {
  private final String name;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Set<PinnedView> views = new LinkedHashSet<>();

  /** Replaced under the lock; null when closed. */
  private volatile @Nullable ReadState current;

  /** Written by the single writer after the entries that it covers. */
  private volatile LogPosition applied;

  /**
   * @param name what is closed when somebody comes too late; for messages
   * @param active empty memtable; its reference goes over
   * @param version a version; the caller keeps its reference
   * @param applied how far the log is reflected
   */
  public PublishedState(String name, MemTable active, Version version, LogPosition applied) {
    this.name = name;
    this.current = new ReadState(List.of(active), version);
    this.applied = applied;
    active.release();
  }

  /** How far the log is visible. */
  public LogPosition applied() {
    return applied;
  }

  /** Makes everything up to a position visible. By the single writer. */
  public void publish(LogPosition position) {
    applied = position;
  }

  /** The newest value of a key. */
  public @Nullable VersionedValue get(Slice key) {
    Moment now = now();
    try {
      return now.state.get(key, now.sequence, IoClass.CLIENT_READ);
    } finally {
      now.state.release();
    }
  }

  /** The newest values of several keys. */
  public List<@Nullable VersionedValue> getAll(List<Slice> keys) {
    Moment now = now();
    try {
      return now.state.getAll(keys, now.sequence, IoClass.CLIENT_READ);
    } finally {
      now.state.release();
    }
  }

  /** What memtables and cached blocks say about a key. */
  public Probe probe(Slice key) {
    Moment now = now();
    try {
      return now.state.probe(key, now.sequence);
    } finally {
      now.state.release();
    }
  }

  /** A state, with a reference for the caller, and a sequence that it holds. */
  private record Moment(ReadState state, long sequence) {}

  private Moment now() {
    while (true) {
      ReadState state = acquire();
      long sequence = applied.sequence();
      if (state == current) {
        return new Moment(state, sequence);
      }
      state.release();
    }
  }

  /** The state with a reference for the caller. */
  private ReadState acquire() {
    while (true) {
      ReadState state = current;
      if (state == null) {
        throw new EngineClosedException(name);
      }
      if (state.tryRetain()) {
        return state;
      }
    }
  }

  /** Pins the newest visible sequence. */
  public PinnedView view() {
    lock.lock();
    try {
      // No rotation comes between the two: it needs the lock.
      ReadState state = acquire();
      PinnedView view = new PinnedView(this, name, applied.sequence(), state);
      views.add(view);
      return view;
    } finally {
      lock.unlock();
    }
  }

  void forget(PinnedView view) {
    lock.lock();
    try {
      views.remove(view);
    } finally {
      lock.unlock();
    }
  }

  /** Number of open views. */
  public int openViews() {
    lock.lock();
    try {
      return views.size();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Sequences at which open views read. A view that opens after this call reads at a sequence that
   * is not older than any entry that was closed to writers before the call, so a job that asks
   * before it reads its first entry learns of every view that matters to it.
   */
  public LiveSequences liveSequences() {
    lock.lock();
    try {
      return LiveSequences.of(views.stream().mapToLong(PinnedView::sequence).toArray());
    } finally {
      lock.unlock();
    }
  }

  /** Puts an empty memtable in front; its reference goes over. By the single writer. */
  public void rotate(MemTable fresh) {
    replace(
        state -> {
          List<MemTable> memtables = new ArrayList<>();
          memtables.add(fresh);
          memtables.addAll(state.memtables());
          return new ReadState(memtables, state.version());
        });
    fresh.release();
  }

  /** Replaces the version, and lets go of a memtable whose content is in it. */
  public void install(Version next, @Nullable MemTable flushed) {
    replace(
        state -> {
          List<MemTable> memtables = new ArrayList<>(state.memtables());
          memtables.removeIf(memtable -> memtable == flushed);
          return new ReadState(memtables, next);
        });
  }

  private void replace(Function<ReadState, ReadState> change) {
    List<ReadState> left = new ArrayList<>();
    lock.lock();
    try {
      ReadState previous = current;
      if (previous == null) {
        return;
      }
      ReadState next = change.apply(previous);
      current = next;
      left.add(previous);
      for (PinnedView view : views) {
        left.add(view.moveTo(next));
      }
    } finally {
      lock.unlock();
    }
    left.forEach(ReadState::release);
  }

  /** Closes all views and lets go of the state. Cursors that are open keep theirs. Idempotent. */
  public void close() {
    List<PinnedView> open;
    ReadState last;
    lock.lock();
    try {
      last = current;
      current = null;
      open = List.copyOf(views);
    } finally {
      lock.unlock();
    }
    open.forEach(PinnedView::close);
    if (last != null) {
      last.release();
    }
  }
}
