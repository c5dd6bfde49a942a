package io.silkkv.raftsm.command;

/** Bytes that a replica wrote cannot be read back. */
public final class EntryFormatException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why the bytes cannot be read. */
  public enum Fault {
    /** They are damaged: restore the replica from a healthy one. */
    CORRUPT,
    /** A newer release wrote them: use that release. */
    TOO_NEW
  }

  private final Fault fault;

  private EntryFormatException(Fault fault, String message) {
    super(message);
    this.fault = fault;
  }

  /**
   * @param what the kind of bytes, e.g. "log entry"
   * @param offset where the damage was noticed
   * @param detail what was found there
   */
  static EntryFormatException corrupt(String what, int offset, String detail) {
    return new EntryFormatException(
        Fault.CORRUPT,
        "corrupt "
            + what
            + " at offset "
            + offset
            + ": "
            + detail
            + "; restore this replica from a healthy one");
  }

  static EntryFormatException tooNew(String what, int version, int limit) {
    return new EntryFormatException(
        Fault.TOO_NEW,
        what
            + " has format version "
            + version
            + ", newer than this release reads (at most version "
            + limit
            + "); use a newer SilkKV on every node");
  }

  public Fault fault() {
    return fault;
  }
}
