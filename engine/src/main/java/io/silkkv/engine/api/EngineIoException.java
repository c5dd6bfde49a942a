package io.silkkv.engine.api;

import java.io.IOException;

/** Reading or writing a file failed. After it the engine takes no more writes. */
public final class EngineIoException extends EngineException {
  private static final long serialVersionUID = 1L;

  /**
   * @param action what was being done and to which file, e.g. {@code "sync 000012.sst"}
   * @param cause the error of the file system
   */
  public EngineIoException(String action, IOException cause) {
    super("cannot " + action + ": " + cause, cause);
  }
}
