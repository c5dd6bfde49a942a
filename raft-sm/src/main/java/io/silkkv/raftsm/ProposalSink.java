package io.silkkv.raftsm;

/** Where closed entries go: the Raft log of a shard. */
@FunctionalInterface
interface ProposalSink {
  /**
   * Hands an entry to the log, which ends it by {@link Proposal#complete} or {@link Proposal#fail},
   * now or later and from any thread. May wait a moment for the log; never throws.
   */
  void append(Proposal proposal);
}
