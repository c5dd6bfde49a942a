package io.silkkv.node.admin;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.silkkv.engine.api.EngineStats;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.IoCounters;
import io.silkkv.node.shard.Replica;
import io.silkkv.node.shard.ReplicaDirectory;
import io.silkkv.raftsm.ReplicaState;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * The node's metrics in Prometheus' text format. Figures of a replica are taken once per scrape, so
 * that all of them describe the same moment. Scrapes come from one thread at a time; meters may be
 * added from any thread.
 */
public final class NodeMetrics implements AutoCloseable {
  private static final int LEVELS = 7;

  /** Figures of one replica at the last scrape. */
  private record Figures(ReplicaState state, EngineStats stats) {}

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics gc = new JvmGcMetrics();
  private final ReplicaDirectory replicas;

  /** Confined to the scraping thread; meters read it during a scrape only. */
  private final Map<Long, Figures> figures = new HashMap<>();

  /**
   * @param io what the file system counts
   * @param replicas whose figures are shown
   */
  public NodeMetrics(IoCounters io, ReplicaDirectory replicas) {
    this.replicas = replicas;
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    gc.bindTo(registry);
    for (IoClass why : IoClass.values()) {
      addIo(io, why);
    }
  }

  private void addIo(IoCounters io, IoClass why) {
    String name = why.name().toLowerCase(Locale.ROOT);
    for (IoCounters.Direction direction : IoCounters.Direction.values()) {
      String way = direction.name().toLowerCase(Locale.ROOT);
      FunctionCounter.builder("silkkv.io.bytes", io, counters -> counters.bytes(why, direction))
          .description("Bytes moved at the file layer")
          .tags("class", name, "direction", way)
          .register(registry);
      FunctionCounter.builder(
              "silkkv.io.operations", io, counters -> counters.operations(why, direction))
          .description("Reads and writes at the file layer")
          .tags("class", name, "direction", way)
          .register(registry);
    }
    FunctionCounter.builder("silkkv.io.syncs", io, counters -> counters.syncs(why))
        .description("Syncs of files")
        .tags("class", name)
        .register(registry);
  }

  /** Where other parts register their own meters. */
  public MeterRegistry registry() {
    return registry;
  }

  /** Shows a figure that grows and shrinks. */
  public void gauge(String name, String description, LongSupplier value) {
    Gauge.builder(name, value::getAsLong).description(description).register(registry);
  }

  /** Shows a figure that only grows. */
  public void counter(String name, String description, LongSupplier value) {
    FunctionCounter.builder(name, value, LongSupplier::getAsLong)
        .description(description)
        .register(registry);
  }

  /** All metrics as of now. */
  public synchronized String scrape() {
    for (Replica replica : replicas.replicas()) {
      Figures now = new Figures(replica.state(), replica.engine().stats());
      if (figures.put(replica.shardId(), now) == null) {
        addReplica(replica.shardId());
      }
    }
    return registry.scrape();
  }

  private void addReplica(long shardId) {
    addState(shardId);
    addStats(shardId);
    for (int level = 0; level < LEVELS; level++) {
      addLevel(shardId, level);
    }
  }

  private void addState(long shardId) {
    replicaGauge(
        shardId,
        "silkkv.replica.leader",
        "1 when this replica leads its shard",
        now -> now.state().role() == ReplicaState.Role.LEADER ? 1 : 0);
    replicaGauge(shardId, "silkkv.replica.term", "Raft term", now -> now.state().term());
    replicaGauge(
        shardId,
        "silkkv.replica.committed.index",
        "Last log entry known to be committed",
        now -> now.state().committedIndex());
    replicaGauge(
        shardId,
        "silkkv.replica.applied.index",
        "Last log entry in the engine",
        now -> now.state().appliedIndex());
    replicaGauge(
        shardId,
        "silkkv.replica.flushed.index",
        "Last log entry in the engine's files",
        now -> now.state().flushedIndex());
    replicaGauge(
        shardId,
        "silkkv.replica.log.start.index",
        "First log entry that is still kept",
        now -> now.state().logStartIndex());
    replicaGauge(
        shardId,
        "silkkv.replica.sessions",
        "Clients whose writes are remembered",
        now -> now.state().sessions());
    replicaCounter(
        shardId,
        "silkkv.replica.proposed.commands",
        "Commands put into the log here",
        now -> now.state().proposedCommands());
    replicaCounter(
        shardId,
        "silkkv.replica.proposed.entries",
        "Log entries that those commands shared",
        now -> now.state().proposedEntries());
  }

  private void addStats(long shardId) {
    replicaGauge(
        shardId,
        "silkkv.engine.memtable.bytes",
        "Bytes in memtables",
        now -> now.stats().memtableBytes());
    replicaGauge(
        shardId,
        "silkkv.engine.memtables.waiting",
        "Memtables that wait for their flush",
        now -> now.stats().waitingMemtables());
    replicaGauge(shardId, "silkkv.engine.views", "Open read views", now -> now.stats().openViews());
    replicaGauge(
        shardId,
        "silkkv.engine.obsolete.bytes",
        "Bytes in files that only views or checkpoints still need",
        now -> now.stats().obsoleteBytes());
    replicaGauge(
        shardId,
        "silkkv.engine.debt.bytes",
        "Bytes that compaction has to write until no level is due for its size",
        now -> now.stats().debtBytes());
    replicaGauge(
        shardId,
        "silkkv.engine.space.amplification",
        "Bytes on disk for each byte of keys and values that is alive, an estimate",
        now -> now.stats().spaceAmplification());
    replicaGauge(
        shardId,
        "silkkv.engine.base.level",
        "The level that L0 is merged into",
        now -> now.stats().baseLevel());
    replicaGauge(
        shardId,
        "silkkv.engine.damaged.tables",
        "Files with a part that cannot be read; restore this replica from a healthy one",
        now -> now.stats().damagedTables());
    replicaCounter(
        shardId,
        "silkkv.engine.scrubbed.bytes",
        "Bytes verified in the background",
        now -> now.stats().scrubbedBytes());
    replicaCounter(shardId, "silkkv.engine.flushes", "Flushes", now -> now.stats().flushes());
    replicaCounter(
        shardId,
        "silkkv.engine.flushed.bytes",
        "Bytes written by flushes",
        now -> now.stats().flushedBytes());
    replicaCounter(
        shardId, "silkkv.engine.compactions", "Compactions", now -> now.stats().compactions());
    replicaCounter(
        shardId,
        "silkkv.engine.compacted.bytes",
        "Bytes written by compactions",
        now -> now.stats().compactedBytes());
  }

  private void addLevel(long shardId, int level) {
    levelGauge(
        shardId, level, "silkkv.engine.level.files", "Files of a level", EngineStats.Level::files);
    levelGauge(
        shardId,
        level,
        "silkkv.engine.level.bytes",
        "Bytes of a level on disk",
        EngineStats.Level::bytes);
    levelGauge(
        shardId,
        level,
        "silkkv.engine.level.target.bytes",
        "Bytes that a level may have; 0 for the first and the last level, and for one that is"
            + " to be emptied",
        EngineStats.Level::targetBytes);
    levelGauge(
        shardId,
        level,
        "silkkv.engine.level.raw.bytes",
        "Bytes of the keys and values of a level before compression",
        EngineStats.Level::rawBytes);
    levelGauge(
        shardId,
        level,
        "silkkv.engine.level.entries",
        "Entries of a level, all versions of a key counted",
        EngineStats.Level::entries);
    levelGauge(
        shardId,
        level,
        "silkkv.engine.level.deletions",
        "Deletions among the entries of a level",
        EngineStats.Level::deletions);
  }

  private void levelGauge(
      long shardId,
      int level,
      String name,
      String description,
      ToLongFunction<EngineStats.Level> value) {
    Gauge.builder(name, () -> levels(shardId, level).mapToLong(value).sum())
        .description(description)
        .tags("shard", Long.toString(shardId), "level", Integer.toString(level))
        .register(registry);
  }

  private Stream<EngineStats.Level> levels(long shardId, int level) {
    Figures now = figures.get(shardId);
    return now == null
        ? Stream.empty()
        : now.stats().levels().stream().filter(each -> each.level() == level);
  }

  private void replicaGauge(
      long shardId, String name, String description, ToDoubleFunction<Figures> value) {
    Gauge.builder(name, () -> read(shardId, value))
        .description(description)
        .tag("shard", Long.toString(shardId))
        .register(registry);
  }

  private void replicaCounter(
      long shardId, String name, String description, ToDoubleFunction<Figures> value) {
    FunctionCounter.builder(name, this, metrics -> metrics.read(shardId, value))
        .description(description)
        .tag("shard", Long.toString(shardId))
        .register(registry);
  }

  private double read(long shardId, ToDoubleFunction<Figures> value) {
    Figures now = figures.get(shardId);
    return now == null ? 0 : value.applyAsDouble(now);
  }

  @Override
  public void close() {
    gc.close();
    registry.close();
  }
}
