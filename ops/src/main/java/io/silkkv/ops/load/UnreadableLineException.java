package io.silkkv.ops.load;

/** A line that cannot be used; the message says why. */
final class UnreadableLineException extends Exception {
  private static final long serialVersionUID = 1L;

  UnreadableLineException(String reason) {
    super(reason);
  }
}
