package io.silkkv.node;

import com.google.protobuf.ByteString;
import io.silkkv.node.config.NodeConfig;
import io.silkkv.node.rpc.RequestPathOptions;
import io.silkkv.raftsm.ProposalOptions;
import io.silkkv.raftsm.RaftSettings;
import io.silkkv.raftsm.ReplicaOptions;
import io.silkkv.raftsm.ReplicaServerOptions;
import io.silkkv.raftsm.apply.SessionOptions;
import io.silkkv.raftsm.transfer.TransferOptions;
import io.silkkv.router.Limits;
import io.silkkv.router.NodeInfo;
import io.silkkv.router.ShardMap;
import io.silkkv.router.SplitPoints;
import java.time.Duration;
import java.util.List;

/** Translates the configuration into the options of the node's parts. */
final class Options {
  private Options() {}

  /** The map of the cluster that the configuration describes. */
  static ShardMap initialMap(NodeConfig config) {
    NodeConfig.Cluster cluster = config.cluster();
    List<ByteString> splits =
        cluster.splitAt().isEmpty()
            ? SplitPoints.evenly(cluster.shards())
            : SplitPoints.parse(cluster.splitAt());
    List<NodeInfo> nodes =
        cluster.nodes().stream()
            .map(
                member ->
                    new NodeInfo(
                        member.id(),
                        member.address().toString(),
                        member.raft().toString(),
                        member.http().toString()))
            .toList();
    return ShardMap.initial(cluster.id(), nodes, splits);
  }

  static RequestPathOptions rpc(NodeConfig config) {
    NodeConfig.Limits limits = config.limits();
    return RequestPathOptions.of(
        new Limits(limits.keyBytes(), limits.valueBytes(), limits.batchBytes()),
        config.rpc().readThreads(),
        config.rpc().readQueue());
  }

  private static ReplicaOptions replicas(NodeConfig config) {
    ProposalOptions defaults = ProposalOptions.DEFAULT;
    return new ReplicaOptions(
        SessionOptions.DEFAULT,
        new ProposalOptions(
            config.raft().pipelineEntries(),
            defaults.entryBytes(),
            defaults.commandBytes(),
            defaults.queuedCommands(),
            config.raft().pendingBytes(),
            config.raft().returnWaitMicros(),
            defaults.retryMillis()),
        config.raft().unflushedLogBytes());
  }

  static ReplicaServerOptions server(NodeConfig config) {
    RaftSettings defaults = RaftSettings.defaults();
    NodeConfig.Raft raft = config.raft();
    return new ReplicaServerOptions(
        config.node().id(),
        config.node().dataDir(),
        config.self().raft().host(),
        config.self().raft().port(),
        new RaftSettings(
            Duration.ofMillis(raft.electionTimeoutMinMillis()),
            Duration.ofMillis(raft.electionTimeoutMaxMillis()),
            defaults.leaseRatio(),
            defaults.readTimeout(),
            defaults.entryBytes(),
            defaults.segmentBytes(),
            raft.keepLogEntries()),
        replicas(config),
        TransferOptions.DEFAULT);
  }
}
