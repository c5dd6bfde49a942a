package io.silkkv.raftsm.command;

import java.util.UUID;

/**
 * Which write of which client a command is.
 *
 * @param clientId chosen at random by the client when it starts
 * @param sequence number of the write, from 1 on; a retry has the same number. Below {@link
 *     Long#MAX_VALUE}
 * @param acknowledgedBelow the client has seen the outcome of every write below this number, so it
 *     may be forgotten
 */
public record SessionStamp(UUID clientId, long sequence, long acknowledgedBelow) {
  /**
   * @throws IllegalArgumentException when a number is negative or the sequence too large
   */
  public SessionStamp {
    if (sequence < 0 || sequence == Long.MAX_VALUE || acknowledgedBelow < 0) {
      throw new IllegalArgumentException(
          "session of client "
              + clientId
              + ": sequence "
              + sequence
              + " and acknowledged-below "
              + acknowledgedBelow
              + " must not be negative, and the sequence must be below 2^63 - 1");
    }
  }
}
