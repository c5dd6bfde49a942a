package io.silkkv.engine.api;

/** The file was written by a newer release whose format this one does not read. */
public final class FormatTooNewException extends UnsupportedFormatException {
  private static final long serialVersionUID = 1L;

  public FormatTooNewException(String file, int version, int limit) {
    super(
        file
            + " has format version "
            + version
            + ", newer than this release reads (at most version "
            + limit
            + "); use a newer SilkKV");
  }
}
