package io.silkkv.raftsm;

import io.silkkv.raftsm.transfer.TransferOptions;
import java.nio.file.Path;

/**
 * What a node's replicas need to know about the node.
 *
 * @param peerId this node's Raft peer id; belongs to the contents of its disk
 * @param dataDirectory the node's data directory; {@code raft}, {@code raft-removed} and {@code
 *     shards} are created in it
 * @param raftHost address or name to bind the Raft port to
 * @param raftPort the Raft port, 1 to 65535
 * @param raft how Raft runs
 * @param replicas how replicas work; the session bounds in it are equal on all nodes
 * @param transfer limits of checkpoint transfers
 */
public record ReplicaServerOptions(
    String peerId,
    Path dataDirectory,
    String raftHost,
    int raftPort,
    RaftSettings raft,
    ReplicaOptions replicas,
    TransferOptions transfer) {
  /** What surrounds a single command in a log entry, generously. */
  private static final int ENTRY_EXTRA_BYTES = 2 * 1024;

  /**
   * @throws IllegalArgumentException when the parts do not fit together
   */
  public ReplicaServerOptions {
    int commandBytes = replicas.proposals().commandBytes();
    if (commandBytes > raft.entryBytes() - ENTRY_EXTRA_BYTES) {
      throw new IllegalArgumentException(
          "commands of "
              + commandBytes
              + " bytes do not fit into log entries of "
              + raft.entryBytes()
              + " bytes: raise entryBytes or lower commandBytes");
    }
    if (raftPort < 1 || raftPort > 65_535) {
      throw new IllegalArgumentException("the Raft port must be 1 to 65535, is " + raftPort);
    }
  }

  /** Where the Raft logs are. */
  Path raftDirectory() {
    return dataDirectory.resolve("raft");
  }

  /** Where the logs of groups go that were removed from this node. */
  Path removedDirectory() {
    return dataDirectory.resolve("raft-removed");
  }

  /** What belongs to one shard, apart from its log. */
  Path shardDirectory(long shardId) {
    return shardsDirectory().resolve(Long.toString(shardId));
  }

  /** The parent of all shard directories. */
  Path shardsDirectory() {
    return dataDirectory.resolve("shards");
  }
}
