package io.silkkv.raftsm;

import org.jspecify.annotations.Nullable;

/** Refusals as replicas make them, for fakes of replicas. */
public final class Refusals {
  private Refusals() {}

  public static ProposalException notLeader(@Nullable String leaderPeerId) {
    return ProposalException.notLeader("shard", leaderPeerId);
  }

  public static ProposalException unknownOutcome() {
    return ProposalException.unknownOutcome("the entry was not seen applied", null, null);
  }

  public static ProposalException of(ProposalException.Reason reason) {
    return ProposalException.of(reason, "the replica says " + reason);
  }

  public static ProposalException retryAfter(ProposalException.Reason reason, long millis) {
    return ProposalException.retryAfter(reason, millis, "the replica says " + reason);
  }
}
