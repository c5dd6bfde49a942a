package io.silkkv.engine.iterator;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.ValueKind;

/**
 * A position in a run of internal entries, ordered by user key ascending, then sequence descending
 * (the newest version of a key comes first). Starts without position. Not thread-safe.
 */
public interface InternalIterator extends AutoCloseable {
  boolean valid();

  void seekToFirst();

  void seekToLast();

  /**
   * Moves to the first entry at or after (userKey, sequence) in internal order: the newest version
   * of {@code userKey} that is not newer than {@code sequence}, or else the first entry of the next
   * key.
   */
  void seek(Slice userKey, long sequence);

  /** Moves to the last entry at or before (userKey, sequence) in internal order. */
  void seekForPrev(Slice userKey, long sequence);

  /** Requires {@link #valid()}. */
  void next();

  /** Requires {@link #valid()}. */
  void prev();

  /** User key; valid until the next move. */
  Slice key();

  long sequence();

  ValueKind kind();

  /** Value (empty for a deletion); valid until the next move. */
  Slice value();

  @Override
  void close();
}
