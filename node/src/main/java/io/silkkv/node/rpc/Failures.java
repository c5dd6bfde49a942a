package io.silkkv.node.rpc;

import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.api.EngineClosedException;
import io.silkkv.raftsm.ProposalException;
import io.silkkv.router.KvErrors;
import io.silkkv.v1.Applied;
import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.Reason;
import java.util.concurrent.CompletionException;

/** Every way in which the request path says no, with an honest word about the outcome. */
final class Failures {
  /**
   * About one election timeout's tenth: soon enough to notice a new leader, rare enough to wait.
   */
  private static final int NO_LEADER_RETRY_MILLIS = 100;

  /** A busy node wants a pause of a few log entries. */
  private static final int OVERLOADED_RETRY_MILLIS = 20;

  /** Nodes that disagree about a leader learn within a heartbeat or two. */
  private static final int HOPS_RETRY_MILLIS = 100;

  private Failures() {}

  static ErrorDetail overloaded(String message) {
    return KvErrors.retryLater(Reason.OVERLOADED, OVERLOADED_RETRY_MILLIS, message);
  }

  static ErrorDetail deadlineExceeded(PendingCall call) {
    return KvErrors.detail(
        Reason.DEADLINE_EXCEEDED,
        call.unknownOutcome(),
        "the deadline passed before the call was answered"
            + (call.isWrite() ? "; retry with the same session and sequence" : "; retry"));
  }

  /** The deadline passed before anything was done for the call. */
  static ErrorDetail deadlineAlreadyPassed() {
    return KvErrors.refused(
        Reason.DEADLINE_EXCEEDED, "the deadline had passed when the call was looked at");
  }

  static ErrorDetail shuttingDown(String nodeId) {
    return KvErrors.refused(
        Reason.SHUTTING_DOWN, "node " + nodeId + " is shutting down; use another node");
  }

  /** The node stops while the call still waits. */
  static ErrorDetail stopped(PendingCall call, String nodeId) {
    return KvErrors.detail(
        Reason.SHUTTING_DOWN,
        call.unknownOutcome(),
        "node " + nodeId + " stopped before the call was answered; retry at another node");
  }

  static ErrorDetail mapNotLoaded(String nodeId) {
    return KvErrors.retryLater(
        Reason.UNAVAILABLE,
        NO_LEADER_RETRY_MILLIS,
        "node " + nodeId + " has not read the shard map from the meta shard since its start");
  }

  static ErrorDetail noLeader(long shardId) {
    return KvErrors.retryLater(
        Reason.NO_LEADER, NO_LEADER_RETRY_MILLIS, "no leader of shard " + shardId + " is known");
  }

  static ErrorDetail tooManyHops(long shardId, String nodeId, int hops) {
    return KvErrors.retryLater(
        Reason.TOO_MANY_HOPS,
        HOPS_RETRY_MILLIS,
        "the call was forwarded "
            + hops
            + " times and node "
            + nodeId
            + " does not lead shard "
            + shardId
            + " either");
  }

  static ErrorDetail shardNotHere(long shardId) {
    return KvErrors.refused(Reason.SHARD_NOT_FOUND, "there is no shard " + shardId);
  }

  static ErrorDetail badField(String field, String message) {
    return KvErrors.badField(Reason.INVALID_ARGUMENT, field, message);
  }

  /** The connection to the node that was to serve the call ended. */
  static ErrorDetail peerGone(String nodeId, Applied applied, String why) {
    return KvErrors.detail(
        Reason.UNAVAILABLE, applied, "the call was forwarded to node " + nodeId + ": " + why);
  }

  /** The leader is known but the call never left this node. */
  static ErrorDetail peerNotReached(long shardId, String nodeId, String why) {
    return KvErrors.notLeader(shardId, nodeId).toBuilder()
        .setRetryAfterMillis(NO_LEADER_RETRY_MILLIS)
        .setMessage(
            "node " + nodeId + " leads shard " + shardId + " but could not be reached: " + why)
        .build();
  }

  /**
   * What a replica's refusal means for the caller; {@code NOT_LEADER} without a known outcome is
   * not here, because such a call is forwarded.
   */
  static ErrorDetail of(ProposalException refusal, PendingCall call, long shardId) {
    Applied applied = refusal.maybeApplied() && call.isWrite() ? Applied.MAYBE : Applied.NEVER;
    String message = "shard " + shardId + ": " + refusal.getMessage();
    return switch (refusal.reason()) {
      case NOT_LEADER, CLOSED, UNKNOWN_OUTCOME ->
          KvErrors.detail(Reason.UNAVAILABLE, applied, message);
      case NO_LEADER, NOT_READY ->
          retry(Reason.NO_LEADER, refusal, NO_LEADER_RETRY_MILLIS, message);
      case OVERLOADED -> retry(Reason.OVERLOADED, refusal, OVERLOADED_RETRY_MILLIS, message);
      case TOO_LARGE ->
          KvErrors.detail(Reason.BATCH_TOO_LARGE, applied, message).toBuilder()
              .setField("mutations")
              .build();
    };
  }

  /** What a failed read of the engine means for the caller. */
  static ErrorDetail ofRead(Throwable failure, long shardId) {
    if (failure instanceof CorruptionException) {
      return KvErrors.refused(
          Reason.DATA_CORRUPT,
          "data of shard " + shardId + " on this node is damaged; use another node");
    }
    if (failure instanceof EngineClosedException) {
      return ofClosed(shardId);
    }
    return KvErrors.refused(
        Reason.INTERNAL, "a read of shard " + shardId + " failed on this node; see its log");
  }

  /** The replica is going away. */
  static ErrorDetail ofClosed(long shardId) {
    return KvErrors.refused(
        Reason.UNAVAILABLE, "shard " + shardId + " is being closed on this node; retry");
  }

  /** A fault of this node that has no better name. */
  static ErrorDetail internal(PendingCall call, String what) {
    return KvErrors.detail(
        Reason.INTERNAL, call.unknownOutcome(), what + " failed on this node; see its log");
  }

  /** The failure itself, without the wrapping that futures add. */
  static Throwable unwrap(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  /** These refusals come before anything was proposed. */
  private static ErrorDetail retry(
      Reason reason, ProposalException refusal, int usualMillis, String message) {
    long advice = refusal.retryAfterMillis();
    int millis = advice > 0 ? (int) Math.min(advice, Integer.MAX_VALUE) : usualMillis;
    return KvErrors.retryLater(reason, millis, message);
  }
}
