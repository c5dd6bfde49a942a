package io.silkkv.node.config;

import io.silkkv.engine.IoPolicy;
import io.silkkv.engine.TierCompression;
import io.silkkv.engine.api.PrefixRule;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/**
 * The checked configuration of one node. Units and defaults stand in {@link Setting}.
 *
 * @param cluster what all nodes agree on
 * @param node this process
 * @param limits largest key, value and batch
 * @param engine memory of the storage engines
 * @param raft replication
 * @param rpc the request path
 */
public record NodeConfig(
    Cluster cluster, Node node, Limits limits, Engine engine, Raft raft, Rpc rpc) {

  /** What all nodes agree on. */
  public record Cluster(
      UUID id, boolean bootstrap, int shards, List<String> splitAt, List<Member> nodes) {}

  /** One founding node and where it listens. */
  public record Member(String id, NodeAddress address, NodeAddress raft, NodeAddress http) {}

  /** This process. */
  public record Node(String id, Path dataDir, boolean allowNonLoopback, long shutdownMillis) {}

  /** Sizes in bytes. */
  public record Limits(int keyBytes, int valueBytes, int batchBytes) {}

  /** Sizes in bytes. */
  public record Engine(
      long memtableBytes,
      long memtableBudgetBytes,
      long blockCacheBytes,
      boolean directIo,
      long directIoBufferBytes,
      TierCompression compression,
      int dictionaryBytes,
      int bloomBitsPerKey,
      int bloomBitsPerKeyLast,
      PrefixRule keyPrefix,
      IoPolicy ioPolicy) {}

  /** Times in milliseconds where the name says nothing else, sizes in bytes. */
  public record Raft(
      int electionTimeoutMinMillis,
      int electionTimeoutMaxMillis,
      long unflushedLogBytes,
      int keepLogEntries,
      int pipelineEntries,
      int returnWaitMicros,
      long pendingBytes) {}

  /** Threads and queue places for reads that need files. */
  public record Rpc(int readThreads, int readQueue) {}

  /** The entry of {@code cluster.nodes} that is this process. */
  public Member self() {
    return cluster.nodes().stream()
        .filter(member -> member.id().equals(node.id()))
        .findFirst()
        .orElseThrow();
  }
}
