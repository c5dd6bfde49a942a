package io.silkkv.raftsm;

import io.silkkv.raftsm.apply.SessionOptions;

/**
 * How replicas work.
 *
 * @param sessions bounds of the session table; the same on all nodes
 * @param proposals how commands share log entries
 * @param unflushedLogBytes applied log after which a memtable is flushed however small it is: it
 *     bounds what a restart replays and what cannot be purged
 */
public record ReplicaOptions(
    SessionOptions sessions, ProposalOptions proposals, long unflushedLogBytes) {
  /** 256 MiB of un-flushed log. */
  public static final ReplicaOptions DEFAULT =
      new ReplicaOptions(SessionOptions.DEFAULT, ProposalOptions.DEFAULT, 256L << 20);

  /**
   * @throws IllegalArgumentException when the limit is not positive
   */
  public ReplicaOptions {
    if (unflushedLogBytes < 1) {
      throw new IllegalArgumentException("unflushedLogBytes must be positive");
    }
  }
}
