package io.silkkv.node.rpc;

import io.silkkv.engine.api.EngineClosedException;
import io.silkkv.engine.api.EngineStats;
import io.silkkv.engine.api.IoFigures;
import io.silkkv.node.shard.Replica;
import io.silkkv.node.shard.ReplicaDirectory;
import io.silkkv.node.shard.ShardMapHolder;
import io.silkkv.raftsm.ReplicaState;
import io.silkkv.router.ReplicaRef;
import io.silkkv.router.Shard;
import io.silkkv.router.ShardMap;
import io.silkkv.v1.IoClassStatus;
import io.silkkv.v1.IoStatus;
import io.silkkv.v1.LevelStatus;
import io.silkkv.v1.NodeStatus;
import io.silkkv.v1.ReplicaStatus;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The state of this node as operators see it, over gRPC and over HTTP. Thread-safe. */
final class StatusReport {
  private static final Logger LOG = LoggerFactory.getLogger(StatusReport.class);
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long NANOS_PER_MICRO = 1_000;

  private final NodeServices.Identity identity;
  private final ReplicaDirectory replicas;
  private final ShardMapHolder maps;
  private final NodeHealth health;
  private final LongSupplier nanoTime;
  private final long startNanos;

  StatusReport(
      NodeServices.Identity identity,
      ReplicaDirectory replicas,
      ShardMapHolder maps,
      NodeHealth health,
      LongSupplier nanoTime) {
    this.identity = identity;
    this.replicas = replicas;
    this.maps = maps;
    this.health = health;
    this.nanoTime = nanoTime;
    this.startNanos = nanoTime.getAsLong();
  }

  NodeStatus now() {
    ShardMap map = maps.map();
    NodeStatus.Builder status =
        NodeStatus.newBuilder()
            .setNodeId(identity.nodeId())
            .setVersion(identity.version())
            .setReady(health.ready())
            .setUptimeMillis((nanoTime.getAsLong() - startNanos) / NANOS_PER_MILLI)
            .setShardMapVersion(maps.confirmed() ? map.version() : 0)
            .setFault(health.fault())
            .setIo(ioStatus(identity.io().get()));
    for (Replica replica : replicas.replicas()) {
      status.addReplicas(replicaStatus(map, replica));
    }
    return status.build();
  }

  private static IoStatus ioStatus(IoFigures figures) {
    IoStatus.Builder status =
        IoStatus.newBuilder()
            .setPolicy(figures.policy())
            .setDeviceRate(figures.deviceRate())
            .setClientRate(figures.clientRate())
            .setReplicationRate(figures.replicationRate())
            .setInternalRate(figures.internalRate())
            .setFlushFloor(figures.flushFloor())
            .setL0Floor(figures.l0Floor())
            .setDeepPaused(figures.deepPaused())
            .setPauses(figures.pauses())
            .setDeepCores(figures.deepCores());
    for (IoFigures.Requests requests : figures.requests()) {
      status.addClasses(
          IoClassStatus.newBuilder()
              .setName(requests.why().name())
              .setRequests(requests.requests())
              .setBytes(requests.bytes())
              .setWaits(requests.waits())
              .setWaitedMicros(requests.waitedNanos() / NANOS_PER_MICRO)
              .setWaiting(requests.waiting()));
    }
    return status.build();
  }

  /** The node that leads a shard as its replica here knows it; empty when it knows none. */
  static String leaderNode(ShardMap map, long shardId, ReplicaState state) {
    Shard shard = map.byId(shardId);
    String peerId = state.leaderPeerId();
    if (shard == null || peerId == null) {
      return "";
    }
    for (ReplicaRef replica : shard.replicas()) {
      if (replica.peerId().equals(peerId)) {
        return replica.nodeId();
      }
    }
    return "";
  }

  private static ReplicaStatus replicaStatus(ShardMap map, Replica replica) {
    ReplicaState state = replica.state();
    ReplicaStatus.Builder status =
        ReplicaStatus.newBuilder()
            .setShardId(replica.shardId())
            .setRole(role(state.role()))
            .setTerm(state.term())
            .setLeaderNodeId(leaderNode(map, replica.shardId(), state))
            .setCommittedIndex(state.committedIndex())
            .setAppliedIndex(state.appliedIndex())
            .setFlushedIndex(state.flushedIndex())
            .setSequence(state.sequence())
            .setSessions(state.sessions())
            .setLogStartIndex(state.logStartIndex())
            .setReplayedEntries(state.replayedEntries())
            .setInstalledCheckpoints(state.installedCheckpoints());
    try {
      addEngine(status, replica.engine().stats());
    } catch (EngineClosedException e) {
      // The replica is being stopped or is taking over a checkpoint; the rest is still worth
      // seeing.
      LOG.debug("no figures of the engine of shard {}", replica.shardId(), e);
    }
    return status.build();
  }

  private static void addEngine(ReplicaStatus.Builder status, EngineStats stats) {
    status
        .setMemtableBytes(stats.memtableBytes())
        .setWaitingMemtables(stats.waitingMemtables())
        .setFlushes(stats.flushes())
        .setCompactions(stats.compactions());
    for (EngineStats.Level level : stats.levels()) {
      status.addLevels(
          LevelStatus.newBuilder()
              .setLevel(level.level())
              .setFiles(level.files())
              .setBytes(level.bytes()));
    }
  }

  /** A new role gets its word in the contract on purpose, not by its Java name. */
  private static String role(ReplicaState.Role role) {
    return switch (role) {
      case LEADER -> "LEADER";
      case FOLLOWER -> "FOLLOWER";
      case CANDIDATE -> "CANDIDATE";
      case LISTENER -> "LISTENER";
      case STOPPED -> "CLOSED";
    };
  }
}
