package io.silkkv.raftsm.transfer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Limits of checkpoint transfers.
 *
 * @param chunkBytes bytes of a file in one message; 4 KiB to 1 MiB
 * @param maxCheckpoints checkpoints that this node pins at once for others; at least 1
 * @param idleLimit a pin that nobody reads from ends after this
 * @param stallLimit a stream without a chunk for this long is given up and tried again
 * @param maxAttempts attempts in a row without progress before a fetch fails; at least 1
 * @param firstBackoff pause after the first failed attempt; doubles up to {@code longestBackoff}
 * @param longestBackoff longest pause between attempts
 */
public record TransferOptions(
    int chunkBytes,
    int maxCheckpoints,
    Duration idleLimit,
    Duration stallLimit,
    int maxAttempts,
    Duration firstBackoff,
    Duration longestBackoff) {

  /** 128 KiB chunks, 4 pins for 2 minutes, 15 s without a chunk, 5 attempts, 0.2 to 5 s apart. */
  public static final TransferOptions DEFAULT =
      new TransferOptions(
          128 * 1024,
          4,
          Duration.ofMinutes(2),
          Duration.ofSeconds(15),
          5,
          Duration.ofMillis(200),
          Duration.ofSeconds(5));

  /** Checks the ranges; the message lists every violation. */
  public TransferOptions {
    List<String> wrong = new ArrayList<>();
    if (chunkBytes < 4 * 1024 || chunkBytes > 1024 * 1024) {
      wrong.add("chunkBytes must be 4 KiB to 1 MiB, is " + chunkBytes);
    }
    if (maxCheckpoints < 1) {
      wrong.add("maxCheckpoints must be at least 1, is " + maxCheckpoints);
    }
    if (maxAttempts < 1) {
      wrong.add("maxAttempts must be at least 1, is " + maxAttempts);
    }
    for (Duration d : List.of(idleLimit, stallLimit, firstBackoff, longestBackoff)) {
      if (d.isNegative() || d.isZero()) {
        wrong.add("durations must be positive, one is " + d);
      }
    }
    if (longestBackoff.compareTo(firstBackoff) < 0) {
      wrong.add("longestBackoff must not be shorter than firstBackoff");
    }
    if (!wrong.isEmpty()) {
      throw new IllegalArgumentException("transfer options: " + String.join("; ", wrong));
    }
  }
}
