package io.silkkv.raftsm;

import org.jspecify.annotations.Nullable;

/** A command or a read barrier did not succeed. */
public final class ProposalException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why, and what the caller should do. */
  public enum Reason {
    /** Another replica leads: go there. */
    NOT_LEADER,
    /** No leader is known: retry soon. */
    NO_LEADER,
    /** This replica leads or will lead, but not yet or not any more: retry in some milliseconds. */
    NOT_READY,
    /** Too much waits here, or the engine is behind: retry after {@link #retryAfterMillis}. */
    OVERLOADED,
    /** The command will never fit into a log entry: split it. */
    TOO_LARGE,
    /** The replica is stopped: go to another one. */
    CLOSED,
    /** The command reached the log, but its outcome was not seen: retry with the same session. */
    UNKNOWN_OUTCOME
  }

  private final Reason reason;
  private final boolean maybeApplied;
  private final long retryAfterMillis;
  private final @Nullable String leaderPeerId;

  private ProposalException(
      Reason reason,
      String message,
      long retryAfterMillis,
      @Nullable String leaderPeerId,
      @Nullable Throwable cause) {
    // Often thrown and never a bug of the thrower: a stack trace would only cost time.
    super(message, cause, true, false);
    this.reason = reason;
    this.maybeApplied = reason == Reason.UNKNOWN_OUTCOME;
    this.retryAfterMillis = retryAfterMillis;
    this.leaderPeerId = leaderPeerId;
  }

  static ProposalException of(Reason reason, String message) {
    return new ProposalException(reason, message, 0, null, null);
  }

  static ProposalException of(Reason reason, String message, Throwable cause) {
    return new ProposalException(reason, message, 0, null, cause);
  }

  static ProposalException retryAfter(Reason reason, long millis, String message) {
    return new ProposalException(reason, message, millis, null, null);
  }

  /** Another replica leads, or none is known to. */
  static ProposalException notLeader(String shard, @Nullable String leaderPeerId) {
    return leaderPeerId == null
        ? new ProposalException(Reason.NO_LEADER, shard + " has no known leader", 50, null, null)
        : new ProposalException(
            Reason.NOT_LEADER, shard + " is led by " + leaderPeerId, 0, leaderPeerId, null);
  }

  static ProposalException unknownOutcome(
      String message, @Nullable String leaderPeerId, @Nullable Throwable cause) {
    return new ProposalException(Reason.UNKNOWN_OUTCOME, message, 0, leaderPeerId, cause);
  }

  public Reason reason() {
    return reason;
  }

  /** Whether the command may have been applied, or may still be. False means it never will. */
  public boolean maybeApplied() {
    return maybeApplied;
  }

  /** How long to wait before the next attempt; 0 means no advice. */
  public long retryAfterMillis() {
    return retryAfterMillis;
  }

  /** The leader as far as this replica knows. */
  public @Nullable String leaderPeerId() {
    return leaderPeerId;
  }
}
