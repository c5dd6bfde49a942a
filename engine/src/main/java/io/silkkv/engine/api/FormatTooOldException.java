package io.silkkv.engine.api;

/** The file was written by an older release whose format this one does not read. */
public final class FormatTooOldException extends UnsupportedFormatException {
  private static final long serialVersionUID = 1L;

  public FormatTooOldException(String file, int version, int limit) {
    super(
        file
            + " has format version "
            + version
            + ", older than this release reads (at least version "
            + limit
            + "); upgrade through an older SilkKV first");
  }
}
