package io.silkkv.router;

import io.silkkv.v1.Replica;

/**
 * Where a copy of a shard lives.
 *
 * @param nodeId the node that holds it
 * @param peerId its Raft peer id, which belongs to the contents of the node's data directory
 */
public record ReplicaRef(String nodeId, String peerId) {
  /** Checks that both names are there. */
  public ReplicaRef {
    if (nodeId.isEmpty() || peerId.isEmpty()) {
      throw new IllegalArgumentException(
          "a replica needs a node id and a peer id but has '" + nodeId + "' and '" + peerId + "'");
    }
  }

  /** The message form. */
  public Replica toProto() {
    return Replica.newBuilder().setNodeId(nodeId).setPeerId(peerId).build();
  }

  /** Reads the message form. */
  public static ReplicaRef fromProto(Replica replica) {
    return new ReplicaRef(replica.getNodeId(), replica.getPeerId());
  }
}
