package io.silkkv.node;

import io.micrometer.core.instrument.FunctionCounter;
import io.silkkv.engine.EngineResources;
import io.silkkv.node.admin.NodeMetrics;
import io.silkkv.node.rpc.NodeServices;
import io.silkkv.raftsm.ReplicaServer;
import io.silkkv.v1.Reason;
import java.util.Locale;

/** Which figures of the node's parts are shown as metrics. */
final class Meters {
  private Meters() {}

  static void add(NodeMetrics metrics, EngineResources resources) {
    metrics.gauge(
        "silkkv.memtables.bytes",
        "Memory in use by memtables",
        () -> resources.usage().memtableBytes());
    metrics.gauge(
        "silkkv.memtables.budget.bytes",
        "Memory that memtables should not exceed",
        () -> resources.usage().memtableBudgetBytes());
    metrics.counter(
        "silkkv.memtables.waits",
        "Writes that waited for memory",
        () -> resources.usage().memtableWaits());
    metrics.gauge(
        "silkkv.tables.memory.bytes",
        "Heap that indexes and filters of tables take",
        () -> resources.usage().tableMemoryBytes());
    metrics.gauge(
        "silkkv.block.cache.bytes", "Size of cached blocks", () -> resources.usage().cacheBytes());
    metrics.counter("silkkv.block.cache.hits", "Blocks found", () -> resources.usage().cacheHits());
    metrics.counter(
        "silkkv.block.cache.misses", "Blocks read", () -> resources.usage().cacheMisses());
  }

  static void add(NodeMetrics metrics, ReplicaServer server) {
    metrics.counter(
        "silkkv.replication.append.sent.bytes",
        "Log entries and heartbeats sent to followers",
        () -> server.replication().appendBytesSent());
    metrics.counter(
        "silkkv.replication.received.bytes",
        "Raft requests received from other nodes",
        () -> server.replication().raftBytesReceived());
    metrics.counter(
        "silkkv.replication.checkpoint.sent.bytes",
        "Checkpoints sent to other nodes",
        () -> server.replication().checkpointBytesSent());
    metrics.counter(
        "silkkv.replication.checkpoint.received.bytes",
        "Checkpoints received from other nodes",
        () -> server.replication().checkpointBytesReceived());
  }

  static void add(NodeMetrics metrics, NodeServices services) {
    metrics.counter(
        "silkkv.calls.served", "Calls that were answered", () -> services.counters().served());
    metrics.counter(
        "silkkv.calls.forwarded", "Calls forwarded to another node", services::forwarded);
    metrics.gauge(
        "silkkv.calls.in.flight",
        "Calls that wait for a log entry, a file or another node",
        services::callsInFlight);
    metrics.gauge("silkkv.reads.queued", "Reads that wait for a thread", services::readsQueued);
    for (Reason reason : Reason.values()) {
      if (reason != Reason.UNRECOGNIZED && reason != Reason.REASON_UNSPECIFIED) {
        FunctionCounter.builder(
                "silkkv.calls.failed", services, each -> each.counters().failed(reason))
            .description("Calls that failed, by reason")
            .tag("reason", reason.name().toLowerCase(Locale.ROOT))
            .register(metrics.registry());
      }
    }
  }
}
