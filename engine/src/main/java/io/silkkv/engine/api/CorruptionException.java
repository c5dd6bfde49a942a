package io.silkkv.engine.api;

/** A file is damaged or missing. The message names the file, the offset and the remedy. */
public final class CorruptionException extends EngineException {
  private static final long serialVersionUID = 1L;

  private final String file;
  private final long offset;

  /**
   * @param file path of the damaged file
   * @param offset where the damage begins, in bytes; -1 when the whole file is meant
   * @param detail what was found instead of what was expected
   */
  public CorruptionException(String file, long offset, String detail) {
    super(
        "corrupt file "
            + file
            + (offset >= 0 ? " at offset " + offset : "")
            + ": "
            + detail
            + "; restore this replica from a healthy one",
        null);
    this.file = file;
    this.offset = offset;
  }

  public String file() {
    return file;
  }

  public long offset() {
    return offset;
  }
}
