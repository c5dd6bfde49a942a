package io.silkkv.node;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.silkkv.engine.EngineResources;
import io.silkkv.engine.api.IoFigures;
import io.silkkv.engine.io.IoClass;
import io.silkkv.node.admin.NodeMetrics;
import io.silkkv.node.rpc.NodeServices;
import io.silkkv.raftsm.ReplicaServer;
import io.silkkv.v1.Reason;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** Which figures of the node's parts are shown as metrics. */
final class Meters {
  private static final double NANOS_PER_SECOND = 1e9;

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
        "Heap that open tables take outside of the block cache",
        () -> resources.usage().tableMemoryBytes());
    metrics.gauge(
        "silkkv.block.cache.bytes", "Size of cached blocks", () -> resources.usage().cacheBytes());
    metrics.gauge(
        "silkkv.block.cache.meta.bytes",
        "Part of the cached blocks that are indexes and filters",
        () -> resources.usage().cacheMetaBytes());
    metrics.counter("silkkv.block.cache.hits", "Blocks found", () -> resources.usage().cacheHits());
    metrics.counter(
        "silkkv.block.cache.misses", "Blocks read", () -> resources.usage().cacheMisses());
  }

  /** What the I/O scheduler does; rates are bytes per second. */
  static void addIo(NodeMetrics metrics, EngineResources resources) {
    rate(metrics, resources, "device", "Bandwidth of the volume (T)", IoFigures::deviceRate);
    rate(
        metrics, resources, "client", "Used by clients and replication (C)", IoFigures::clientRate);
    rate(metrics, resources, "replication", "Part of C", IoFigures::replicationRate);
    rate(metrics, resources, "internal", "Left for internal work (I)", IoFigures::internalRate);
    rate(metrics, resources, "flush.floor", "Part of I kept for flushes", IoFigures::flushFloor);
    rate(metrics, resources, "l0.floor", "Part of I kept for level 0", IoFigures::l0Floor);
    metrics.gauge(
        "silkkv.io.deep.paused",
        "1 while deeper compactions wait for clients",
        () -> resources.io().deepPaused() ? 1 : 0);
    metrics.counter(
        "silkkv.io.deep.pauses",
        "How often deeper compactions had to wait for clients",
        () -> resources.io().pauses());
    Gauge.builder("silkkv.io.deep.cores", () -> resources.io().deepCores())
        .description("Processors that deeper compactions may keep busy")
        .register(metrics.registry());
    for (IoFigures.Requests requests : resources.io().requests()) {
      addRequests(metrics, resources, requests.why());
    }
  }

  private static void rate(
      NodeMetrics metrics,
      EngineResources resources,
      String name,
      String description,
      ToLongFunction<IoFigures> figure) {
    metrics.gauge(
        "silkkv.io." + name + ".rate", description, () -> figure.applyAsLong(resources.io()));
  }

  private static void addRequests(NodeMetrics metrics, EngineResources resources, IoClass why) {
    String name = why.name().toLowerCase(Locale.ROOT);
    FunctionCounter.builder("silkkv.io.requests", resources, each -> requests(each, why).requests())
        .description("Requests of internal work for bandwidth")
        .tag("class", name)
        .register(metrics.registry());
    FunctionCounter.builder("silkkv.io.waits", resources, each -> requests(each, why).waits())
        .description("Such requests that had to wait")
        .tag("class", name)
        .register(metrics.registry());
    FunctionCounter.builder(
            "silkkv.io.waited.seconds",
            resources,
            each -> requests(each, why).waitedNanos() / NANOS_PER_SECOND)
        .description("How long they waited together")
        .tag("class", name)
        .register(metrics.registry());
    Gauge.builder("silkkv.io.waiting", resources, each -> requests(each, why).waiting())
        .description("Requests that wait now")
        .tag("class", name)
        .register(metrics.registry());
  }

  private static IoFigures.Requests requests(EngineResources resources, IoClass why) {
    return resources.io().requests().stream()
        .filter(requests -> requests.why() == why)
        .findFirst()
        .orElseThrow();
  }

  static void add(NodeMetrics metrics, ReplicaServer server) {
    metrics.counter(
        "silkkv.replication.log.bytes",
        "Bytes of entries written to the logs of this node",
        server::loggedBytes);
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
