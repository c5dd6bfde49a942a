package io.silkkv.engine.api;

import org.jspecify.annotations.Nullable;

/**
 * An engine could not do what was asked. The subclass says what the receiver should do: {@link
 * CorruptionException} means restore this replica from a healthy one, {@link
 * UnsupportedFormatException} means use another release, {@link EngineIoException} means end the
 * process: the disk no longer keeps its word.
 */
public abstract sealed class EngineException extends RuntimeException
    permits CorruptionException,
        UnsupportedFormatException,
        EngineIoException,
        EngineClosedException {
  private static final long serialVersionUID = 1L;

  EngineException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
