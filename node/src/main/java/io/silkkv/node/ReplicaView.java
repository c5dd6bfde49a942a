package io.silkkv.node;

import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.StorageEngine;
import io.silkkv.node.shard.Replica;
import io.silkkv.node.shard.ReplicaDirectory;
import io.silkkv.raftsm.ReplicaServer;
import io.silkkv.raftsm.ReplicaState;
import io.silkkv.raftsm.ShardReplica;
import io.silkkv.raftsm.command.Command;
import io.silkkv.raftsm.command.CommandResult;
import java.util.Collection;
import java.util.Comparator;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A replica of the Raft server, in the shape that the request path asks for. */
record ReplicaView(ShardReplica replica) implements Replica {
  /** All replicas of a server in that shape. */
  static ReplicaDirectory directory(ReplicaServer server) {
    return new ReplicaDirectory() {
      @Override
      public @Nullable Replica replica(long shardId) {
        ShardReplica found = server.replica(shardId);
        return found == null ? null : new ReplicaView(found);
      }

      @Override
      public Collection<Replica> replicas() {
        return server.replicas().stream()
            .sorted(Comparator.comparingLong(ShardReplica::shardId))
            .<Replica>map(ReplicaView::new)
            .toList();
      }
    };
  }

  @Override
  public long shardId() {
    return replica.shardId();
  }

  @Override
  public boolean leads() {
    return replica.leads();
  }

  @Override
  public @Nullable String leaderPeerId() {
    return replica.leaderPeerId();
  }

  @Override
  public boolean canReadNow() {
    return replica.canReadNow();
  }

  @Override
  public CompletableFuture<Void> readBarrier() {
    return replica.readBarrier();
  }

  @Override
  public CompletableFuture<CommandResult> propose(Command command) {
    return replica.propose(command);
  }

  @Override
  public StorageEngine engine() {
    return replica.engine();
  }

  @Override
  public ReplicaState state() {
    return replica.state();
  }

  @Override
  public CompletableFuture<Void> transferLeadership(String peerId) {
    return replica.transferLeadership(peerId);
  }

  @Override
  public CompletableFuture<LogPosition> flush() {
    return replica.flush();
  }
}
