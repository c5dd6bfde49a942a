package io.silkkv.raftsm;

import io.silkkv.engine.api.EngineClosedException;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.StorageEngine;
import io.silkkv.raftsm.ProposalException.Reason;
import io.silkkv.raftsm.command.Command;
import io.silkkv.raftsm.command.CommandResult;
import io.silkkv.raftsm.transport.ReadGate;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.raftlog.RaftLog;
import org.jspecify.annotations.Nullable;

/**
 * This node's replica of one shard: what the rest of the node uses. Thread-safe; nothing here
 * blocks except {@link #flush}, which waits for the entry that is being applied.
 */
public final class ShardReplica implements AutoCloseable {
  private static final Duration TRANSFER_TIMEOUT = Duration.ofSeconds(5);
  // The target may win its election some time after Ratis gave up waiting for it.
  private static final Duration LEASE_PAUSE = TRANSFER_TIMEOUT.plusSeconds(10);
  private static final long RETRY_MILLIS = 10;

  private final long shardId;
  private final KvStateMachine machine;
  private final RaftServer.Division division;
  private final ReadGate gate;
  private final ProposalOptions options;
  private final ProposalBatcher batcher;
  private final ClientId clientId = ClientId.randomId();
  private final AtomicLong callId = new AtomicLong();

  ShardReplica(
      long shardId,
      KvStateMachine machine,
      RaftServer.Division division,
      ReadGate gate,
      ProposalOptions options,
      InstantSource clock,
      ProposalThreads threads) {
    this.shardId = shardId;
    this.machine = machine;
    this.division = division;
    this.gate = gate;
    this.options = options;
    this.batcher =
        new ProposalBatcher(
            name(), options, this::overloaded, new RaftLogSink(name(), division), clock, threads);
  }

  public long shardId() {
    return shardId;
  }

  /**
   * Puts a command into the shard's log.
   *
   * @return completes when the command is applied here, on the thread that applies: continue
   *     elsewhere with anything that takes long or blocks. Fails with a {@link ProposalException}
   */
  public CompletableFuture<CommandResult> propose(Command command) {
    ProposalException refusal = notServing();
    return refusal == null ? batcher.propose(command) : CompletableFuture.failedFuture(refusal);
  }

  /** Whether this replica believes to lead; cheap, and only a hint: propose and read decide. */
  public boolean leads() {
    DivisionInfo info = division.getInfo();
    return info.isAlive() && info.isLeader();
  }

  /** Who leads, as far as this replica knows; null when it knows nobody. Cheap. */
  public @Nullable String leaderPeerId() {
    RaftPeerId leader = division.getInfo().getLeaderId();
    return leader == null ? null : leader.toString();
  }

  /**
   * Whether a read of {@link #engine()} that starts now is linearizable. True only at a leader
   * whose lease is held; when false, {@link #readBarrier} may still succeed.
   */
  public boolean canReadNow() {
    return gate.leaseHeld();
  }

  /**
   * Completes when a read of {@link #engine()} is linearizable: a majority has confirmed, after
   * this call, that this replica leads. Fails with a {@link ProposalException}, also at a replica
   * that does not lead. Concurrent callers share a round. May complete on a network thread.
   */
  public CompletableFuture<Void> readBarrier() {
    return gate.confirm().thenCompose(this::answer);
  }

  /**
   * The engine, for reads; the same object for the life of the replica. While a checkpoint replaces
   * its content, and after the replica is closed, its methods throw {@link EngineClosedException}.
   */
  public StorageEngine engine() {
    return machine.store().engine();
  }

  /** What the replica knows of itself. */
  public ReplicaState state() {
    DivisionInfo info = division.getInfo();
    ProposalBatcher.Counts counts = batcher.counts();
    LogPosition applied = machine.store().applied();
    RaftLog log = division.getRaftLog();
    return new ReplicaState(
        role(info),
        info.isAlive() && info.isLeader() && info.isLeaderReady(),
        info.getCurrentTerm(),
        leaderPeerId(),
        log.getLastCommittedIndex(),
        applied.index(),
        machine.durable().index(),
        log.getStartIndex(),
        applied.sequence(),
        machine.store().sessionCount(),
        machine.replayedEntries(),
        machine.installedCheckpoints(),
        counts.commands(),
        counts.entries());
  }

  /**
   * Asks another replica to lead. New commands are refused meanwhile. Fails with a {@link
   * ProposalException} when it did not take over in some seconds; this replica then still leads, or
   * somebody else does.
   */
  public CompletableFuture<Void> transferLeadership(String peerId) {
    // The next leader need not wait until our lease has ended.
    gate.suspendLease(LEASE_PAUSE);
    TransferLeadershipRequest request =
        new TransferLeadershipRequest(
            clientId,
            division.getId(),
            division.getMemberId().getGroupId(),
            callId.incrementAndGet(),
            RaftPeerId.valueOf(peerId),
            TRANSFER_TIMEOUT.toMillis());
    try {
      return division
          .getRaftServer()
          .transferLeadershipAsync(request)
          .exceptionallyCompose(
              failure -> CompletableFuture.failedFuture(notTaken(peerId, failure)))
          .thenAccept(
              reply -> {
                if (!reply.isSuccess()) {
                  throw notTaken(peerId, reply.getException());
                }
              });
    } catch (IOException failure) {
      return CompletableFuture.failedFuture(notTaken(peerId, failure));
    }
  }

  /** Makes everything that is applied now durable in files; completes with its position. */
  public CompletableFuture<LogPosition> flush() {
    return machine.flush();
  }

  /** Refuses new commands and those that have not left; the Raft server ends the rest. */
  @Override
  public void close() {
    batcher.close();
  }

  private @Nullable ProposalException notServing() {
    DivisionInfo info = division.getInfo();
    if (!info.isAlive()) {
      return ProposalException.of(Reason.CLOSED, name() + " is closed on this node");
    }
    return info.isLeader() ? null : notLeader(info);
  }

  private @Nullable ProposalException overloaded() {
    try {
      return engine().acceptsWrites()
          ? null
          : ProposalException.retryAfter(
              Reason.OVERLOADED,
              options.retryMillis(),
              name() + ": flushes or compactions are behind; retry later");
    } catch (EngineClosedException replaced) {
      return ProposalException.retryAfter(
          Reason.NOT_READY, RETRY_MILLIS, name() + " is being replaced");
    }
  }

  private CompletableFuture<Void> answer(ReadGate.Outcome outcome) {
    return switch (outcome) {
      case CONFIRMED -> CompletableFuture.completedFuture(null);
      case NOT_LEADER -> CompletableFuture.failedFuture(notLeader(division.getInfo()));
      case NOT_READY ->
          CompletableFuture.failedFuture(
              ProposalException.retryAfter(
                  Reason.NOT_READY, RETRY_MILLIS, name() + ": the new leader is not ready yet"));
      case TIMED_OUT ->
          CompletableFuture.failedFuture(
              ProposalException.retryAfter(
                  Reason.NO_LEADER,
                  options.retryMillis(),
                  name() + ": no majority confirms that this replica still leads"));
      case OVERLOADED ->
          CompletableFuture.failedFuture(
              ProposalException.retryAfter(
                  Reason.OVERLOADED,
                  options.retryMillis(),
                  name() + ": too many reads wait for a majority"));
    };
  }

  private ProposalException notTaken(String peerId, @Nullable Throwable cause) {
    return ProposalException.of(
        Reason.NOT_READY, name() + ": " + peerId + " did not take over: " + cause);
  }

  private ProposalException notLeader(DivisionInfo info) {
    RaftPeerId leader = info.getLeaderId();
    boolean known = leader != null && !leader.equals(division.getId());
    return ProposalException.notLeader(name(), known ? leader.toString() : null);
  }

  private static ReplicaState.Role role(DivisionInfo info) {
    if (!info.isAlive()) {
      return ReplicaState.Role.STOPPED;
    }
    return switch (info.getCurrentRole()) {
      case LEADER -> ReplicaState.Role.LEADER;
      case FOLLOWER -> ReplicaState.Role.FOLLOWER;
      case CANDIDATE -> ReplicaState.Role.CANDIDATE;
      case LISTENER -> ReplicaState.Role.LISTENER;
      default -> ReplicaState.Role.STOPPED;
    };
  }

  private String name() {
    return "shard " + shardId;
  }
}
