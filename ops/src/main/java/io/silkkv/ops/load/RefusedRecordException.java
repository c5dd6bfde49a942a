package io.silkkv.ops.load;

/** The cluster will never take this record, whatever happens; the message says why. */
public final class RefusedRecordException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public RefusedRecordException(String reason) {
    super(reason);
  }
}
