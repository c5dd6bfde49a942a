package io.silkkv.raftsm;

/**
 * How commands share log entries.
 *
 * @param entriesInFlight log entries of one shard that are under way at once, from 1 on; all but
 *     the first are full ones
 * @param entryBytes an entry is closed before its commands pass this; a larger command travels
 *     alone
 * @param commandBytes largest command, encoded; with {@link
 *     io.silkkv.raftsm.command.EntryCodec#ENTRY_OVERHEAD_BYTES} and Raft's own fields (about 200
 *     bytes) it must fit into Raft's largest entry, because the leader steps down over a larger one
 * @param queuedCommands most commands of one shard that wait for an entry
 * @param queuedBytes most bytes of such commands, encoded
 * @param returnWaitMicros how long an entry may wait for callers that were just answered, 0 to
 *     10,000
 * @param retryMillis what refused callers are told to wait
 */
public record ProposalOptions(
    int entriesInFlight,
    int entryBytes,
    int commandBytes,
    int queuedCommands,
    long queuedBytes,
    int returnWaitMicros,
    int retryMillis) {
  /**
   * 4 entries of 256 KiB, commands of 3 MiB less 64 KiB, 8,192 commands or 16 MiB waiting, 1 ms.
   */
  public static final ProposalOptions DEFAULT =
      new ProposalOptions(4, 256 << 10, (3 << 20) - (64 << 10), 8_192, 16L << 20, 2_000, 20);

  /**
   * @throws IllegalArgumentException when a bound is not positive, or a command of the largest size
   *     could never wait
   */
  public ProposalOptions {
    if (entriesInFlight < 1
        || entryBytes < 1
        || commandBytes < 1
        || queuedCommands < 1
        || queuedBytes < commandBytes
        || returnWaitMicros < 0
        || returnWaitMicros > 10_000
        || retryMillis < 0) {
      throw new IllegalArgumentException(
          "bounds must be positive, queuedBytes at least commandBytes, and returnWaitMicros 0 to"
              + " 10000: entriesInFlight "
              + entriesInFlight
              + ", entryBytes "
              + entryBytes
              + ", commandBytes "
              + commandBytes
              + ", queuedCommands "
              + queuedCommands
              + ", queuedBytes "
              + queuedBytes
              + ", returnWaitMicros "
              + returnWaitMicros
              + ", retryMillis "
              + retryMillis);
    }
  }
}
