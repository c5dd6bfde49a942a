package io.silkkv.engine.api;

/**
 * A position in the live keys of a {@link ReadView}, within the bounds given when it was opened.
 * Moves that leave the bounds make it invalid; a seek revives it. Not thread-safe.
 */
public interface Cursor extends AutoCloseable {
  /** Whether the cursor stands on a key. */
  boolean valid();

  /** Moves to the first key within the bounds. */
  void first();

  /** Moves to the last key within the bounds. */
  void last();

  /** Moves to the first key that is at or after {@code key}. */
  void seek(Slice key);

  /** Moves to the last key that is at or before {@code key}. */
  void seekForPrev(Slice key);

  /** Moves to the next key; requires {@link #valid()}. */
  void next();

  /** Moves to the previous key; requires {@link #valid()}. */
  void prev();

  /** The key; valid until the next move, copy it to keep it. Requires {@link #valid()}. */
  Slice key();

  /** The value; valid until the next move, copy it to keep it. Requires {@link #valid()}. */
  Slice value();

  /** Sequence of the mutation that wrote the value. Requires {@link #valid()}. */
  long version();

  @Override
  void close();
}
