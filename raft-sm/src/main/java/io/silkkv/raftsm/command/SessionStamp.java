package io.silkkv.raftsm.command;

import java.util.UUID;

/**
 * Which write of which client a command is.
 *
 * @param clientId chosen at random by the client when it starts
 * @param sequence number of the write, from 1 on; a retry has the same number
 * @param acknowledgedBelow the client has seen the outcome of every write below this number, so it
 *     may be forgotten
 */
public record SessionStamp(UUID clientId, long sequence, long acknowledgedBelow) {
  /**
   * @throws IllegalArgumentException when a number is negative
   */
  public SessionStamp {
    if (sequence < 0 || acknowledgedBelow < 0) {
      throw new IllegalArgumentException(
          "session of client "
              + clientId
              + ": sequence "
              + sequence
              + " and acknowledged-below "
              + acknowledgedBelow
              + " must not be negative");
    }
  }
}
