package io.silkkv.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.api.EngineException;
import io.silkkv.engine.api.EngineListener;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.scheduler.BackgroundJobs;
import io.silkkv.engine.scheduler.Lane;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls to the owner of an engine, on a lane of their own: an owner that waits for its own lock in
 * a call holds up no job, and may close the engine under that lock. Positions that follow each
 * other fast are told once. Thread-safe; its lock is a leaf.
 */
final class OwnerNotices {
  private final EngineListener listener;
  private final BackgroundJobs.Slot slot;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private boolean flushWanted;

  @GuardedBy("lock")
  private @Nullable LogPosition flushed;

  @GuardedBy("lock")
  private @Nullable EngineException failure;

  /** Bounded by the number of tables. */
  @GuardedBy("lock")
  private List<CorruptionException> damages = new ArrayList<>();

  OwnerNotices(EngineListener listener, BackgroundJobs jobs) {
    this.listener = listener;
    this.slot = jobs.slot(Lane.NOTICE, this::deliver);
  }

  void flushWanted() {
    synchronized (lock) {
      flushWanted = true;
    }
    slot.request();
  }

  void flushed(LogPosition position) {
    synchronized (lock) {
      flushed = position;
    }
    slot.request();
  }

  void damaged(CorruptionException cause) {
    synchronized (lock) {
      damages.add(cause);
    }
    slot.request();
  }

  void failed(EngineException cause) {
    synchronized (lock) {
      failure = cause;
    }
    slot.request();
  }

  private void deliver() {
    boolean wanted;
    LogPosition position;
    EngineException cause;
    List<CorruptionException> damaged;
    synchronized (lock) {
      wanted = flushWanted;
      position = flushed;
      cause = failure;
      flushWanted = false;
      flushed = null;
      failure = null;
      damaged = damages;
      damages = new ArrayList<>();
    }
    if (position != null) {
      listener.flushed(position);
    }
    damaged.forEach(listener::damaged);
    if (cause != null) {
      listener.failed(cause);
    }
    if (wanted) {
      listener.flushWanted();
    }
  }

  /** No call starts after this; one may be under way. */
  void close() {
    slot.cancel();
  }
}
