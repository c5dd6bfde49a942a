package io.silkkv.node.shard;

import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.StorageEngine;
import io.silkkv.engine.api.VersionedValue;
import io.silkkv.raftsm.ReplicaState;
import io.silkkv.raftsm.command.Command;
import io.silkkv.raftsm.command.CommandResult;
import io.silkkv.raftsm.command.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A shard whose replicas share one engine, and whose leader is whoever the test says. */
public final class FakeShard {
  public final long shardId;
  public final MemoryEngine engine = new MemoryEngine();

  /** Peer id of the leader that all replicas know; null is none. */
  public volatile @Nullable String leader;

  /** Whether the leader holds its lease. */
  public volatile boolean lease = true;

  /** Answers read barriers. */
  public volatile CompletableFuture<Void> barrier = CompletableFuture.completedFuture(null);

  /** Answers proposals; the default applies them at once. */
  public volatile Function<Command, CompletableFuture<CommandResult>> proposals =
      command -> CompletableFuture.completedFuture(apply(command));

  public final List<String> transfers = new ArrayList<>();
  public final AtomicInteger flushes = new AtomicInteger();

  public FakeShard(long shardId) {
    this.shardId = shardId;
  }

  /** The replica of a node, whose peer id is its node id. */
  public Replica on(String nodeId) {
    return new OnNode(nodeId, false);
  }

  /** A replica that believes to lead whatever the others know. */
  public Replica believingToLead(String nodeId) {
    return new OnNode(nodeId, true);
  }

  public synchronized CommandResult apply(Command command) {
    List<Condition> conditions = command.conditions();
    for (int i = 0; i < conditions.size(); i++) {
      VersionedValue found = engine.get(conditions.get(i).key());
      if (!holds(conditions.get(i), found)) {
        return new CommandResult.ConditionFailed(i, found == null ? 0 : found.version());
      }
    }
    return new CommandResult.Applied(engine.apply(command.mutations()));
  }

  private static boolean holds(Condition condition, @Nullable VersionedValue found) {
    if (condition instanceof Condition.Absent) {
      return found == null;
    }
    if (condition instanceof Condition.VersionEquals equal) {
      return found != null && found.version() == equal.version();
    }
    if (condition instanceof Condition.ValueEquals equal) {
      return found != null && found.value().equals(equal.value());
    }
    return found != null;
  }

  private final class OnNode implements Replica {
    private final String peerId;
    private final boolean stubborn;

    OnNode(String peerId, boolean stubborn) {
      this.peerId = peerId;
      this.stubborn = stubborn;
    }

    @Override
    public long shardId() {
      return shardId;
    }

    @Override
    public boolean leads() {
      return stubborn || peerId.equals(leader);
    }

    @Override
    public @Nullable String leaderPeerId() {
      return leader;
    }

    @Override
    public boolean canReadNow() {
      return leads() && lease;
    }

    @Override
    public CompletableFuture<Void> readBarrier() {
      return barrier;
    }

    @Override
    public CompletableFuture<CommandResult> propose(Command command) {
      return proposals.apply(command);
    }

    @Override
    public StorageEngine engine() {
      return engine;
    }

    @Override
    public ReplicaState state() {
      return new ReplicaState(
          leads() ? ReplicaState.Role.LEADER : ReplicaState.Role.FOLLOWER,
          leads(),
          7,
          leader,
          30,
          29,
          20,
          10,
          99,
          3,
          5,
          1,
          0,
          0);
    }

    @Override
    public CompletableFuture<Void> transferLeadership(String target) {
      transfers.add(target);
      leader = target;
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<LogPosition> flush() {
      flushes.incrementAndGet();
      return CompletableFuture.completedFuture(LogPosition.NONE);
    }
  }
}
