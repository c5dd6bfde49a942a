package io.silkkv.raftsm.transfer;

import org.jspecify.annotations.Nullable;

/** A checkpoint could not be fetched. The message names the peer, the file and the offset. */
public final class TransferException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TransferException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
