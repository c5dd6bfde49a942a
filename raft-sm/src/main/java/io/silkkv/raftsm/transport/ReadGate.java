package io.silkkv.raftsm.transport;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a leader may answer linearizable reads from its applied state. One per group.
 *
 * <p>A leader has applied every write that it acknowledged, and (once it applied an entry of its
 * own term) every write that earlier leaders acknowledged. So its applied state may be read as long
 * as no later leader existed when the read began. Both answers below prove that with requests which
 * a majority accepted in the current term:
 *
 * <ul>
 *   <li>{@link #leaseHeld()}: the majority accepted requests that are younger than the lease.
 *       {@link VoteGuard} makes voters wait longer than that before they elect another leader.
 *       Costs a volatile read.
 *   <li>{@link #confirm()}: the majority accepted requests that are younger than the call. Needs no
 *       promise about time. Calls that arrive together share one heartbeat round.
 * </ul>
 *
 * <p>Thread-safe. The lock is a leaf: nothing is called under it but {@link GroupView} and {@link
 * FollowerAcks}; futures are completed outside of it.
 */
public final class ReadGate {
  /** How a {@link #confirm()} ended. */
  public enum Outcome {
    /** The applied state may be read now. */
    CONFIRMED,
    /** This node does not lead the group (any more). */
    NOT_LEADER,
    /** It leads, but has not applied an entry of its own term yet; this takes milliseconds. */
    NOT_READY,
    /** No majority answered in time: this leader may be cut off. */
    TIMED_OUT,
    /** Too many calls wait already. */
    OVERLOADED
  }

  /** Waiting calls beyond this are refused. */
  static final int MAX_WAITING = 65_536;

  private record Waiting(long arrivedAt, long term, CompletableFuture<Outcome> future) {}

  private record Appender(FollowerAcks acks, Runnable triggerHeartbeat) {}

  /** A majority accepted requests created at or after {@code quorumAt} in {@code term}. */
  private record Proof(long term, long quorumAt) {}

  private final GroupView view;
  private final LongSupplier nanoTime;
  private final long leaseNanos;
  private final long timeoutNanos;

  /** Written under the lock, read without it. */
  private volatile @Nullable Proof proof;

  /** The lease does not count before this time of the nano clock. */
  private volatile long suspendedUntil;

  @GuardedBy("this")
  private final Map<String, Appender> appenders = new HashMap<>();

  /** In order of arrival. */
  @GuardedBy("this")
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

  /** Whether heartbeats were asked for that no reply has answered yet. */
  @GuardedBy("this")
  private boolean roundUnderWay;

  /**
   * @param lease how long a majority's acknowledgement counts, from the creation of the request;
   *     must be shorter than the shortest election timeout by more than clocks drift apart
   * @param timeout how long {@link #confirm()} waits for a majority
   */
  ReadGate(GroupView view, Duration lease, Duration timeout, LongSupplier nanoTime) {
    this.view = view;
    this.leaseNanos = lease.toNanos();
    this.timeoutNanos = timeout.toNanos();
    this.nanoTime = nanoTime;
    this.suspendedUntil = nanoTime.getAsLong();
  }

  /** Whether a read of the applied state that starts now is linearizable. Never blocks. */
  public boolean leaseHeld() {
    // In this order: terms only grow, so the term after "ready" tells in which term it was said.
    Proof p = proof;
    long now = nanoTime.getAsLong();
    if (!view.leaderReady() || now - suspendedUntil < 0) {
      return false;
    }
    if (p != null && now - p.quorumAt < leaseNanos) {
      return p.term == view.term();
    }
    return alone();
  }

  /**
   * Completes when a read of the applied state is linearizable, or with the reason why it is not.
   * Never completes exceptionally. May complete on a network thread: continue elsewhere when the
   * continuation can block.
   */
  public CompletableFuture<Outcome> confirm() {
    // Noted before "ready" is asked: of a later term nobody has said that it is ready.
    long term = view.term();
    if (!view.leaderReady()) {
      return CompletableFuture.completedFuture(
          view.leader() ? Outcome.NOT_READY : Outcome.NOT_LEADER);
    }
    if (alone()) {
      return CompletableFuture.completedFuture(Outcome.CONFIRMED);
    }
    CompletableFuture<Outcome> future = new CompletableFuture<>();
    List<Runnable> triggers = List.of();
    synchronized (this) {
      if (waiting.size() >= MAX_WAITING) {
        return CompletableFuture.completedFuture(Outcome.OVERLOADED);
      }
      waiting.add(new Waiting(nanoTime.getAsLong(), term, future));
      if (!roundUnderWay) {
        triggers = startRound();
      }
    }
    triggers.forEach(Runnable::run);
    return future;
  }

  /**
   * No lease for a while. To be called before leadership is handed over, because the next leader is
   * then elected without waiting for the lease to end. {@link #confirm()} goes on working.
   */
  public void suspendLease(Duration length) {
    suspendedUntil = nanoTime.getAsLong() + length.toNanos();
  }

  /** Gives up calls that have waited too long or whose term is over. Call every 100 ms or so. */
  public void tick() {
    boolean leader = view.leader();
    long term = view.term();
    List<Waiting> lost = new ArrayList<>();
    List<Waiting> late = new ArrayList<>();
    List<Runnable> triggers = List.of();
    synchronized (this) {
      long now = nanoTime.getAsLong();
      for (Waiting next = waiting.peek(); next != null; next = waiting.peek()) {
        if (!leader || next.term != term) {
          lost.add(next);
        } else if (now - next.arrivedAt >= timeoutNanos) {
          late.add(next);
        } else {
          break;
        }
        waiting.remove();
      }
      if (!waiting.isEmpty()) {
        triggers = startRound();
      }
    }
    triggers.forEach(Runnable::run);
    lost.forEach(w -> w.future.complete(Outcome.NOT_LEADER));
    late.forEach(w -> w.future.complete(Outcome.TIMED_OUT));
  }

  /** A new appender serves a follower, because a term began or an old appender failed. */
  void register(FollowerAcks acks, Runnable triggerHeartbeat) {
    synchronized (this) {
      appenders.put(acks.peerId(), new Appender(acks, triggerHeartbeat));
      roundUnderWay = false;
    }
  }

  /** A follower answered. */
  void onReply(FollowerAcks acks, AppendEntriesReplyProto reply) {
    // A follower that misses entries accepts the leader, too; one that follows another does not.
    if (reply.getResult() == AppendResult.SUCCESS
        || reply.getResult() == AppendResult.INCONSISTENCY) {
      onAcknowledged(acks, reply.getServerReply().getCallId());
    }
  }

  void onAcknowledged(FollowerAcks acks, long callId) {
    acks.acknowledge(callId);
    List<CompletableFuture<Outcome>> confirmed = new ArrayList<>();
    List<Runnable> triggers = List.of();
    synchronized (this) {
      Proof p = computeProof();
      if (p != null) {
        proof = p;
        for (Waiting next = waiting.peek(); next != null; next = waiting.peek()) {
          if (next.term != p.term || p.quorumAt - next.arrivedAt < 0) {
            break;
          }
          waiting.remove();
          confirmed.add(next.future);
        }
      }
      // A trigger is lost when it meets a heartbeat that is just leaving, so every reply asks again
      // while somebody waits.
      roundUnderWay = false;
      if (!waiting.isEmpty()) {
        triggers = startRound();
      }
    }
    triggers.forEach(Runnable::run);
    confirmed.forEach(f -> f.complete(Outcome.CONFIRMED));
  }

  @GuardedBy("this")
  private List<Runnable> startRound() {
    roundUnderWay = true;
    return appenders.values().stream().map(Appender::triggerHeartbeat).toList();
  }

  private boolean alone() {
    return view.peers().size() == 1
        && view.peers().contains(view.self())
        && view.previousPeers().isEmpty();
  }

  @GuardedBy("this")
  private @Nullable Proof computeProof() {
    if (!view.leader()) {
      return null;
    }
    long term = view.term();
    OptionalLong current = quorumTime(view.peers(), term);
    if (current.isEmpty()) {
      return null;
    }
    long quorumAt = current.getAsLong();
    Collection<String> previous = view.previousPeers();
    if (!previous.isEmpty()) {
      // While members change, both majorities must agree.
      OptionalLong old = quorumTime(previous, term);
      if (old.isEmpty()) {
        return null;
      }
      quorumAt = old.getAsLong() - quorumAt < 0 ? old.getAsLong() : quorumAt;
    }
    return new Proof(term, quorumAt);
  }

  /** The newest time such that a majority acknowledged requests created at or after it. */
  @GuardedBy("this")
  private OptionalLong quorumTime(Collection<String> members, long term) {
    boolean member = members.contains(view.self());
    int needed = members.size() / 2 + 1 - (member ? 1 : 0);
    long now = nanoTime.getAsLong();
    if (needed == 0) {
      return OptionalLong.of(now);
    }
    long[] ages = new long[members.size()];
    int count = 0;
    for (String peer : members) {
      Appender appender = appenders.get(peer);
      if (appender != null && appender.acks.term() == term) {
        OptionalLong newest = appender.acks.newest();
        if (newest.isPresent()) {
          ages[count++] = now - newest.getAsLong();
        }
      }
    }
    if (count < needed) {
      return OptionalLong.empty();
    }
    Arrays.sort(ages, 0, count);
    return OptionalLong.of(now - ages[needed - 1]);
  }
}
