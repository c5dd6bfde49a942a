package io.silkkv.ops.bench.report;

import io.silkkv.ops.bench.load.figures.LoadResult;
import io.silkkv.ops.bench.load.figures.Measurement;
import io.silkkv.ops.bench.load.figures.OpFigures;
import io.silkkv.ops.bench.load.figures.ProcessFigures;
import io.silkkv.ops.bench.load.figures.SecondFigures;
import io.silkkv.ops.bench.load.figures.StorageFigures;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Joins measurements: the rounds of one system under one workload become one row per operation,
 * with the median round and the range of all. Faults are added up, and one invalid round makes its
 * rows invalid: leaving it out would be choosing the figures.
 */
public final class Rounds {
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double NANOS_PER_MILLI = 1e6;

  private Rounds() {}

  /** What the rounds of one row share. */
  private record Key(String system, String workload, String op) {}

  /** All measurements of one call, in the order in which they were taken. */
  public static RunReport report(
      String command, String started, MachineFacts machine, List<Measurement> measurements) {
    Map<String, SystemFacts> systems = new LinkedHashMap<>();
    Map<Key, List<Measurement>> groups = new LinkedHashMap<>();
    List<Series> series = new ArrayList<>();
    for (Measurement one : measurements) {
      systems.putIfAbsent(one.system(), new SystemFacts(one.system(), one.effectiveOptions()));
      for (OpFigures op : one.load().operations()) {
        groups
            .computeIfAbsent(
                new Key(one.system(), one.workload(), op.op().jsonName()), key -> new ArrayList<>())
            .add(one);
      }
      series.add(series(one));
    }
    List<Row> rows = new ArrayList<>();
    groups.forEach((key, rounds) -> rows.add(row(key, rounds)));
    return new RunReport(command, started, machine, List.copyOf(systems.values()), rows, series);
  }

  private static Row row(Key key, List<Measurement> rounds) {
    Map<Metric, List<Double>> values = new EnumMap<>(Metric.class);
    Set<String> invalid = new LinkedHashSet<>();
    for (Measurement round : rounds) {
      invalid.addAll(round.load().invalidBecause());
      figures(round, key.op())
          .forEach(
              (metric, value) ->
                  values.computeIfAbsent(metric, unused -> new ArrayList<>()).add(value));
    }
    Map<Metric, Figure> figures = new EnumMap<>(Metric.class);
    values.forEach(
        (metric, list) ->
            figures.put(metric, metric.addsUp() ? Figure.sum(list) : Figure.median(list)));
    return new Row(
        key.system(), key.workload(), key.op(), rounds.size(), List.copyOf(invalid), figures);
  }

  private static Map<Metric, Double> figures(Measurement round, String opName) {
    Map<Metric, Double> figures = new EnumMap<>(Metric.class);
    for (OpFigures op : round.load().operations()) {
      if (op.op().jsonName().equals(opName)) {
        boolean open = isOpen(round.load());
        figures.put(Metric.OFFERED_PER_S, open ? op.offeredPerSecond() : Double.NaN);
        figures.put(Metric.OPS_PER_S, op.opsPerSecond());
        figures.put(Metric.P50_US, op.p50() / NANOS_PER_MICRO);
        figures.put(Metric.P90_US, op.p90() / NANOS_PER_MICRO);
        figures.put(Metric.P99_US, op.p99() / NANOS_PER_MICRO);
        figures.put(Metric.P999_US, op.p999() / NANOS_PER_MICRO);
        figures.put(Metric.P9999_US, op.p9999() / NANOS_PER_MICRO);
        figures.put(Metric.MAX_US, op.max() / NANOS_PER_MICRO);
        figures.put(Metric.BAD_SECONDS, (double) op.badSeconds());
        figures.put(Metric.STALL_MS, op.stallNanos() / NANOS_PER_MILLI);
        figures.put(Metric.ERRORS, (double) op.errors());
        figures.put(Metric.UNANSWERED, (double) op.unanswered());
      }
    }
    StorageFigures storage = round.storage();
    figures.put(Metric.DEBT_BYTES_END, orUnknown(storage.debtBytesEnd()));
    figures.put(Metric.DRAIN_S, orUnknown(storage.drainSeconds()));
    figures.put(Metric.WRITE_AMP, orUnknown(storage.writeAmp()));
    figures.put(Metric.READ_AMP, orUnknown(storage.readAmp()));
    figures.put(Metric.SPACE_AMP, orUnknown(storage.spaceAmp()));
    ProcessFigures process = round.process();
    figures.put(Metric.CPU_S, process.cpuSeconds());
    figures.put(Metric.RSS_PEAK_BYTES, unlessNegative(process.peakRssBytes()));
    figures.put(
        Metric.GC_PAUSE_MAX_MS, unlessNegative(process.gcPauseMaxNanos()) / NANOS_PER_MILLI);
    figures.put(
        Metric.SAFEPOINT_MAX_MS, unlessNegative(process.safepointMaxNanos()) / NANOS_PER_MILLI);
    figures.put(Metric.ORACLE_MISMATCHES, (double) round.load().oracle().mismatches());
    return figures;
  }

  private static double orUnknown(@Nullable Number value) {
    return value == null ? Double.NaN : value.doubleValue();
  }

  private static double unlessNegative(long value) {
    return value < 0 ? Double.NaN : (double) value;
  }

  private static boolean isOpen(LoadResult load) {
    return load.mode().equals("open");
  }

  private static Series series(Measurement one) {
    LoadResult load = one.load();
    int seconds = 0;
    for (SecondFigures figures : load.perSecond()) {
      // The last second is cut short where the load ends: a few late answers in it are no rate.
      if (figures.count() > 0 || figures.second() + 1 <= load.seconds()) {
        seconds = Math.max(seconds, figures.second() + 1);
      }
    }
    int total = seconds;
    Map<String, Columns> columns = new LinkedHashMap<>();
    List<Double> offered = new ArrayList<>(Collections.nCopies(isOpen(load) ? seconds : 0, 0.0));
    for (SecondFigures figures : load.perSecond()) {
      if (figures.second() >= total) {
        continue;
      }
      columns.computeIfAbsent(figures.op().jsonName(), unused -> new Columns(total)).set(figures);
      if (isOpen(load)) {
        offered.set(figures.second(), offered.get(figures.second()) + figures.count());
      }
    }
    Map<String, OpSeries> ops = new LinkedHashMap<>();
    columns.forEach((op, filled) -> ops.put(op, filled.series()));
    Map<String, List<Double>> io = new LinkedHashMap<>();
    one.ioBytesPerSecond().forEach((name, bytes) -> io.put(ioClass(name), bytes));
    List<String> notes = new ArrayList<>(load.firstErrors());
    notes.addAll(load.oracle().firstMismatches());
    return new Series(
        one.system(),
        one.workload(),
        one.round(),
        load.mode(),
        offered,
        ops,
        io,
        load.generator(),
        load.oracle().readsChecked(),
        notes);
  }

  /** Reports have one name for what clients read, whatever the system calls it. */
  private static String ioClass(String name) {
    return name.equals("client-read") ? "client" : name;
  }

  /** The seconds of one operation while they are collected. */
  private static final class Columns {
    private final List<Double> finished;
    private final List<Double> p50;
    private final List<Double> p99;
    private final List<Double> max;

    Columns(int seconds) {
      finished = new ArrayList<>(Collections.nCopies(seconds, 0.0));
      p50 = new ArrayList<>(Collections.nCopies(seconds, Double.NaN));
      p99 = new ArrayList<>(p50);
      max = new ArrayList<>(p50);
    }

    void set(SecondFigures figures) {
      finished.set(figures.second(), (double) figures.finished());
      if (figures.count() > 0) {
        p50.set(figures.second(), figures.p50() / NANOS_PER_MICRO);
        p99.set(figures.second(), figures.p99() / NANOS_PER_MICRO);
        max.set(figures.second(), figures.max() / NANOS_PER_MICRO);
      }
    }

    OpSeries series() {
      return new OpSeries(finished, p50, p99, max);
    }
  }
}
