package io.silkkv.node.storage;

/** The data directory must not be used by this process; the message says why and what to do. */
public final class DataDirectoryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why. */
  public enum Kind {
    /** Another process uses it. */
    LOCKED,
    /** It belongs to another node, or is no data directory. */
    FOREIGN,
    /** It was written by a newer release. */
    TOO_NEW,
    /** It is empty, and this node may not start from nothing. */
    WIPED,
    /** Its identity file cannot be read. */
    CORRUPT
  }

  private final Kind kind;

  DataDirectoryException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
