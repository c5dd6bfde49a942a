package io.silkkv.ops.load;

/**
 * One line of a load file.
 *
 * @see LoadReader
 */
public sealed interface LoadLine {
  /** Number of the line, from 1. */
  long number();

  /** Position of the first byte after the line and its line end. */
  long endOffset();

  /** A line that says what to store. */
  @SuppressWarnings("ArrayRecordComponent") // carried, never compared
  record Entry(long number, long endOffset, byte[] key, byte[] value) implements LoadLine {}

  /**
   * A line that cannot be used.
   *
   * @param reason says what is wrong with it, without the line number
   */
  record Unreadable(long number, long endOffset, String reason) implements LoadLine {}
}
