package io.silkkv.node;

/** The node cannot start; the message says why and what to do, the code is the process's. */
final class StartException extends RuntimeException {
  static final int BAD_INPUT = 2;
  static final int IN_USE = 75;

  private static final long serialVersionUID = 1L;

  private final int exitCode;

  StartException(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  int exitCode() {
    return exitCode;
  }
}
