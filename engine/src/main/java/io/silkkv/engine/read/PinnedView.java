package io.silkkv.engine.read;

import io.silkkv.engine.api.Cursor;
import io.silkkv.engine.api.EngineClosedException;
import io.silkkv.engine.api.ReadView;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.VersionedValue;
import io.silkkv.engine.io.IoClass;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A view of {@link PublishedState}. Holds a reference to the newest state until it is closed. */
public final class PinnedView implements ReadView {
  private final PublishedState owner;
  private final String name;
  private final long sequence;

  /** Null when closed. */
  private final AtomicReference<@Nullable ReadState> state;

  PinnedView(PublishedState owner, String name, long sequence, ReadState state) {
    this.owner = owner;
    this.name = name;
    this.sequence = sequence;
    this.state = new AtomicReference<>(state);
  }

  @Override
  public long sequence() {
    return sequence;
  }

  @Override
  public @Nullable VersionedValue get(Slice key) {
    ReadState held = acquire();
    try {
      return held.get(key, sequence, IoClass.CLIENT_READ);
    } finally {
      held.release();
    }
  }

  @Override
  public Cursor cursor(@Nullable Slice lower, @Nullable Slice upper) {
    ReadState held = acquire();
    boolean done = false;
    try {
      Cursor cursor =
          new UserCursor(
              held.iterator(lower, upper, IoClass.CLIENT_READ),
              held.ranges(),
              sequence,
              lower,
              upper,
              held::release);
      done = true;
      return cursor;
    } finally {
      if (!done) {
        held.release();
      }
    }
  }

  private ReadState acquire() {
    while (true) {
      ReadState held = state.get();
      if (held == null) {
        throw new EngineClosedException("a read view of " + name);
      }
      if (held.tryRetain()) {
        return held;
      }
    }
  }

  /**
   * Goes over to a newer state, to which the caller holds a reference.
   *
   * @return the state whose reference the caller has to give back
   */
  ReadState moveTo(ReadState next) {
    if (!next.tryRetain()) {
      throw new IllegalStateException("the state being published has no reference");
    }
    // Only a close can come between: changes of the state are made one at a time.
    ReadState held = state.get();
    return held != null && state.compareAndSet(held, next) ? held : next;
  }

  @Override
  public void close() {
    ReadState held = state.getAndSet(null);
    if (held != null) {
      owner.forget(this);
      held.release();
    }
  }
}
