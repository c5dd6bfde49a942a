package io.silkkv.engine.api;

/**
 * How far the Raft log is reflected in an engine.
 *
 * @param term term of the entry at {@code index}; exact, because Raft matches logs by it
 * @param index index of the last reflected entry; -1 when none is
 * @param sequence sequence of the last mutation that was applied up to and including that entry
 */
public record LogPosition(long term, long index, long sequence) {
  /** Nothing is reflected yet. */
  public static final LogPosition NONE = new LogPosition(0, -1, 0);

  /** Whether this position reflects more of the log than another. */
  public boolean isAfter(LogPosition other) {
    return index > other.index;
  }
}
