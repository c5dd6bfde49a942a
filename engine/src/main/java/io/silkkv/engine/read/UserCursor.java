package io.silkkv.engine.read;

import io.silkkv.engine.api.Cursor;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.ValueKind;
import io.silkkv.engine.iterator.InternalIterator;
import io.silkkv.engine.range.RangeDeletions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The live keys at a sequence, out of all versions of all keys.
 *
 * <p>Going forward, the inner iterator stands on the entry that the cursor shows. Going backward,
 * it stands before the first version of the key that the cursor shows, because all versions had to
 * be passed to find the newest visible one; key and value are kept in copies then.
 */
final class UserCursor implements Cursor {
  /** After so many useless steps a seek is cheaper than one more. */
  private static final int STEPS_BEFORE_SEEK = 16;

  /** Before every version of a key. */
  private static final long NEWEST = Long.MAX_VALUE;

  /** Behind every version of a key: sequences start at 1. */
  private static final long OLDEST = 0;

  private final InternalIterator entries;
  private final List<RangeDeletions> ranges;
  private final long sequence;
  private final @Nullable Slice lower;
  private final @Nullable Slice upper;
  private final Runnable onClose;

  private boolean closed;
  private boolean valid;
  private boolean forward = true;

  /** What the cursor shows; the value is null when the inner iterator stands on it. */
  private Slice key = Slice.EMPTY;

  private @Nullable Slice value;
  private long version;

  /**
   * @param entries all entries; closed with the cursor
   * @param ranges range deletions that entries have to survive
   * @param sequence newest visible sequence
   * @param lower first key within the bounds, or null
   * @param upper first key behind the bounds, or null
   * @param onClose called once, after the entries are closed
   */
  UserCursor(
      InternalIterator entries,
      List<RangeDeletions> ranges,
      long sequence,
      @Nullable Slice lower,
      @Nullable Slice upper,
      Runnable onClose) {
    this.entries = entries;
    this.ranges = ranges;
    this.sequence = sequence;
    this.lower = lower == null ? null : lower.copy();
    this.upper = upper == null ? null : upper.copy();
    this.onClose = onClose;
  }

  @Override
  public boolean valid() {
    return valid;
  }

  @Override
  public void first() {
    leave();
    if (lower == null) {
      entries.seekToFirst();
    } else {
      entries.seek(lower, NEWEST);
    }
    settleForward(null);
  }

  @Override
  public void last() {
    leave();
    if (upper == null) {
      entries.seekToLast();
    } else {
      entries.seekForPrev(upper, NEWEST);
    }
    settleBackward();
  }

  @Override
  public void seek(Slice target) {
    leave();
    Slice from = lower != null && lower.compareTo(target) > 0 ? lower : target;
    entries.seek(from, NEWEST);
    settleForward(null);
  }

  @Override
  public void seekForPrev(Slice target) {
    leave();
    if (upper != null && upper.compareTo(target) <= 0) {
      entries.seekForPrev(upper, NEWEST);
    } else {
      entries.seekForPrev(target, OLDEST);
    }
    settleBackward();
  }

  @Override
  public void next() {
    checkValid();
    leave();
    Slice passed = key;
    if (forward) {
      entries.next();
    } else {
      entries.seek(passed, OLDEST);
    }
    settleForward(passed);
  }

  @Override
  public void prev() {
    checkValid();
    leave();
    if (forward) {
      entries.seekForPrev(key, NEWEST);
    }
    settleBackward();
  }

  /**
   * Moves to the newest visible version of the next live key.
   *
   * @param passedKey a key whose remaining versions are to be skipped, or null
   */
  private void settleForward(@Nullable Slice passedKey) {
    forward = true;
    valid = false;
    value = null;
    Slice passed = passedKey;
    int steps = 0;
    while (entries.valid()) {
      Slice at = entries.key();
      if (upper != null && at.compareTo(upper) >= 0) {
        return;
      }
      if (passed != null && at.equals(passed)) {
        if (++steps > STEPS_BEFORE_SEEK) {
          entries.seek(passed, OLDEST);
          steps = 0;
        } else {
          entries.next();
        }
      } else if (entries.sequence() > sequence) {
        if (++steps > STEPS_BEFORE_SEEK) {
          entries.seek(at.copy(), sequence);
          steps = 0;
        } else {
          entries.next();
        }
      } else if (!isLive(at)) {
        passed = at.copy();
        steps = 0;
        entries.next();
      } else {
        key = at.copy();
        version = entries.sequence();
        valid = true;
        return;
      }
    }
  }

  /** Moves back over all versions of a key at a time until one is live. */
  private void settleBackward() {
    forward = false;
    valid = false;
    value = null;
    while (entries.valid() && !valid) {
      Slice candidate = entries.key().copy();
      if (lower != null && candidate.compareTo(lower) < 0) {
        return;
      }
      newestVisible(candidate);
    }
  }

  /** Passes all versions of a key, oldest first, and shows the newest visible one if it is live. */
  private void newestVisible(Slice candidate) {
    int steps = 0;
    Slice newest = null;
    long newestVersion = 0;
    while (entries.valid() && entries.key().equals(candidate)) {
      if (++steps > STEPS_BEFORE_SEEK && entries.sequence() <= sequence) {
        // A key with many versions: go straight to the newest visible one, then behind them all.
        entries.seek(candidate, sequence);
        newest = isLive(candidate) ? entries.value().copy() : null;
        newestVersion = entries.sequence();
        entries.seekForPrev(candidate, NEWEST);
        break;
      }
      if (entries.sequence() > sequence) {
        entries.seekForPrev(candidate, NEWEST);
        break;
      }
      newest = isLive(candidate) ? entries.value().copy() : null;
      newestVersion = entries.sequence();
      entries.prev();
    }
    if (newest != null) {
      key = candidate;
      value = newest;
      version = newestVersion;
      valid = true;
    }
  }

  @Override
  public Slice key() {
    checkValid();
    return key;
  }

  @Override
  public Slice value() {
    checkValid();
    Slice copy = value;
    return copy == null ? entries.value() : copy;
  }

  @Override
  public long version() {
    checkValid();
    return version;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      valid = false;
      try {
        entries.close();
      } finally {
        onClose.run();
      }
    }
  }

  /** Whether the entry at hand, which is visible, is a value that nothing has deleted. */
  private boolean isLive(Slice at) {
    if (entries.kind() == ValueKind.DELETE) {
      return false;
    }
    for (RangeDeletions each : ranges) {
      if (each.newestOf(at, sequence) > entries.sequence()) {
        return false;
      }
    }
    return true;
  }

  /** Before every move: one that fails leaves no position. */
  private void leave() {
    if (closed) {
      throw new IllegalStateException("the cursor is closed");
    }
    valid = false;
  }

  private void checkValid() {
    if (!valid) {
      throw new IllegalStateException("the cursor does not stand on a key");
    }
  }
}
