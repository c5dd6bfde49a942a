package io.silkkv.engine.api;

/** A file is whole but of a format that this release does not read. */
public abstract sealed class UnsupportedFormatException extends EngineException
    permits FormatTooNewException, FormatTooOldException {
  private static final long serialVersionUID = 1L;

  UnsupportedFormatException(String message) {
    super(message, null);
  }
}
