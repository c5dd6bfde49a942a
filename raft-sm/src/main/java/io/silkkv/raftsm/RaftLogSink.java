package io.silkkv.raftsm;

import io.silkkv.raftsm.ProposalException.Reason;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.exceptions.LeaderNotReadyException;
import org.apache.ratis.protocol.exceptions.LeaderSteppingDownException;
import org.apache.ratis.protocol.exceptions.NotLeaderException;
import org.apache.ratis.protocol.exceptions.ResourceUnavailableException;
import org.apache.ratis.protocol.exceptions.ServerNotReadyException;
import org.apache.ratis.protocol.exceptions.StateMachineException;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;

/**
 * Appends entries to the Raft log of a shard within this process, and turns Ratis' many ways to
 * refuse into one kind of exception. Ratis' answer to an entry that is applied is not waited for:
 * the state machine has ended the proposal before. Thread-safe.
 */
final class RaftLogSink implements ProposalSink {
  private static final long NOT_READY_RETRY_MILLIS = 10;
  private static final long OVERLOADED_RETRY_MILLIS = 50;

  private final String shard;
  private final RaftServer.Division division;
  private final RaftClientAsynchronousProtocol log;
  private final AtomicLong callId = new AtomicLong();
  // Ratis chains the entries of a client; an entry that it refuses late would break the chain for
  // ever, so a new client takes over then.
  private volatile ClientId clientId = ClientId.randomId();

  /**
   * @throws IllegalStateException when the division does not take requests directly, which every
   *     division of this Ratis release does
   */
  RaftLogSink(String shard, RaftServer.Division division) {
    this.shard = shard;
    this.division = division;
    if (!(division instanceof RaftClientAsynchronousProtocol direct)) {
      throw new IllegalStateException(
          "this Ratis release has no direct way to its log: " + division.getClass().getName());
    }
    this.log = direct;
  }

  @Override
  public void append(Proposal proposal) {
    RaftClientRequest request =
        RaftClientRequest.newBuilder()
            .setClientId(clientId)
            .setServerId(division.getId())
            .setGroupId(division.getMemberId().getGroupId())
            .setCallId(callId.incrementAndGet())
            .setMessage(new EntryMessage(proposal))
            .setType(RaftClientRequest.writeRequestType())
            .build();
    try {
      CompletableFuture<RaftClientReply> unused =
          log.submitClientRequestAsync(request)
              .whenComplete((reply, failure) -> ended(proposal, reply, failure));
    } catch (IOException | RuntimeException failure) {
      ended(proposal, null, failure);
    }
  }

  private void ended(
      Proposal proposal, @Nullable RaftClientReply reply, @Nullable Throwable failure) {
    if (proposal.isDone()) {
      return;
    }
    Throwable cause = failure == null && reply != null ? reply.getException() : failure;
    if (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof StateMachineException) {
      clientId = ClientId.randomId();
    }
    proposal.fail(proposal.appended() ? unknown(cause) : refused(cause));
  }

  private ProposalException unknown(@Nullable Throwable cause) {
    String leader = cause instanceof NotLeaderException moved ? leader(moved) : null;
    return ProposalException.unknownOutcome(
        shard + ": the command is in the log, but this replica did not see it applied; retry",
        leader,
        cause);
  }

  private ProposalException refused(@Nullable Throwable cause) {
    if (cause instanceof NotLeaderException moved) {
      return ProposalException.notLeader(shard, leader(moved));
    }
    if (cause instanceof LeaderNotReadyException) {
      return ProposalException.retryAfter(
          Reason.NOT_READY, NOT_READY_RETRY_MILLIS, shard + ": the new leader is not ready yet");
    }
    if (cause instanceof LeaderSteppingDownException) {
      return ProposalException.retryAfter(
          Reason.NOT_READY, NOT_READY_RETRY_MILLIS, shard + ": leadership is being handed over");
    }
    if (cause instanceof ResourceUnavailableException) {
      return ProposalException.retryAfter(
          Reason.OVERLOADED, OVERLOADED_RETRY_MILLIS, shard + ": the Raft log is behind");
    }
    if (cause instanceof ServerNotReadyException && division.getInfo().isAlive()) {
      return ProposalException.retryAfter(
          Reason.NOT_READY, NOT_READY_RETRY_MILLIS, shard + " is starting on this node");
    }
    String message = shard + " takes no commands on this node: " + cause;
    return cause == null
        ? ProposalException.of(Reason.CLOSED, message)
        : ProposalException.of(Reason.CLOSED, message, cause);
  }

  private static @Nullable String leader(NotLeaderException moved) {
    RaftPeer leader = moved.getSuggestedLeader();
    return leader == null ? null : leader.getId().toString();
  }
}
