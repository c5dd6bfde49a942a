package io.silkkv.ops.local;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * What a local cluster is; fixed when it is created.
 *
 * @param clusterId identity of the cluster
 * @param nodes number of node processes, 1 to 9
 * @param basePort first port; node number i (from 0) uses basePort + 10 * i and the two after it
 * @param shards data shards at creation
 * @param splitAt keys at which the shards are cut, one less than shards; empty means evenly
 */
public record ClusterSpec(
    UUID clusterId, int nodes, int basePort, int shards, List<String> splitAt) {
  private static final int NODES_MAX = 9;
  private static final int PORTS_PER_NODE = 10;
  private static final int PORT_MAX = 65_535;

  /**
   * @throws IllegalArgumentException naming the value and its range
   */
  public ClusterSpec {
    splitAt = List.copyOf(splitAt);
    if (nodes < 1 || nodes > NODES_MAX) {
      throw new IllegalArgumentException(
          "a local cluster has 1 to " + NODES_MAX + " nodes, not " + nodes);
    }
    if (basePort < 1024 || basePort + nodes * PORTS_PER_NODE > PORT_MAX) {
      throw new IllegalArgumentException(
          "base port "
              + basePort
              + " does not leave room for "
              + nodes
              + " nodes: choose 1024 to "
              + (PORT_MAX - nodes * PORTS_PER_NODE));
    }
    if (shards < 1) {
      throw new IllegalArgumentException("a cluster has at least 1 shard, not " + shards);
    }
    if (!splitAt.isEmpty() && splitAt.size() + 1 != shards) {
      throw new IllegalArgumentException(
          splitAt.size()
              + " split keys make "
              + (splitAt.size() + 1)
              + " shards, not "
              + shards
              + "; leave one of the two out or make them agree");
    }
  }

  /** The ids of the nodes: n1, n2, ... */
  public List<String> nodeIds() {
    List<String> ids = new ArrayList<>();
    for (int i = 1; i <= nodes; i++) {
      ids.add("n" + i);
    }
    return List.copyOf(ids);
  }

  /** host:port for clients. */
  public String address(String nodeId) {
    return loopback(nodeId, 0);
  }

  /** host:port of Raft. */
  public String raftAddress(String nodeId) {
    return loopback(nodeId, 1);
  }

  /** host:port of the HTTP end points. */
  public String httpAddress(String nodeId) {
    return loopback(nodeId, 2);
  }

  /** Client addresses of all nodes. */
  public List<String> endpoints() {
    return nodeIds().stream().map(this::address).toList();
  }

  private String loopback(String nodeId, int offset) {
    int index = nodeIds().indexOf(nodeId);
    if (index < 0) {
      throw new IllegalArgumentException("no node " + nodeId + "; there are " + nodeIds());
    }
    return "127.0.0.1:" + (basePort + PORTS_PER_NODE * index + offset);
  }
}
