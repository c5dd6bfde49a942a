package io.silkkv.node;

import com.google.protobuf.ByteString;
import io.silkkv.node.config.NodeConfig;
import io.silkkv.node.rpc.RequestPathOptions;
import io.silkkv.raftsm.ReplicaServerOptions;
import io.silkkv.router.NodeInfo;
import io.silkkv.router.ShardMap;
import io.silkkv.router.SplitPoints;
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
}
