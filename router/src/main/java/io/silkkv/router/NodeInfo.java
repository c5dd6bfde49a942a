package io.silkkv.router;

import io.silkkv.v1.Node;

/**
 * How to reach a node. The addresses are {@code host:port}.
 *
 * @param nodeId unique in the cluster
 * @param address Kv and Admin, for clients and for nodes that forward
 * @param raftAddress Raft
 * @param httpAddress health, metrics and status
 */
public record NodeInfo(String nodeId, String address, String raftAddress, String httpAddress) {
  /** Checks that the node can be named and reached. */
  public NodeInfo {
    if (nodeId.isEmpty()) {
      throw new IllegalArgumentException("a node needs an id (its address is '" + address + "')");
    }
    if (address.isEmpty()) {
      throw new IllegalArgumentException("node " + nodeId + " needs an address (host:port)");
    }
  }

  /** The message form. */
  public Node toProto() {
    return Node.newBuilder()
        .setNodeId(nodeId)
        .setAddress(address)
        .setRaftAddress(raftAddress)
        .setHttpAddress(httpAddress)
        .build();
  }

  /** Reads the message form. */
  public static NodeInfo fromProto(Node node) {
    return new NodeInfo(
        node.getNodeId(), node.getAddress(), node.getRaftAddress(), node.getHttpAddress());
  }
}
