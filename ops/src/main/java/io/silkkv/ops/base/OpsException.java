package io.silkkv.ops.base;

import org.jspecify.annotations.Nullable;

/** Ends a command with a message for people and an exit code for scripts. */
public final class OpsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  /**
   * @param exitCode one of {@link ExitCode}
   * @param message names the input and the remedy
   */
  public OpsException(int exitCode, String message) {
    this(exitCode, message, null);
  }

  public OpsException(int exitCode, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  public int exitCode() {
    return exitCode;
  }
}
