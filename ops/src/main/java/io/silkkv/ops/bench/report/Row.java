package io.silkkv.ops.bench.report;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * One system under one workload, seen through one operation.
 *
 * @param op lower-case name of the operation
 * @param rounds how many rounds the figures stand for, from 1 on
 * @param invalid why the figures must not be quoted; empty when they may be
 * @param figures what was measured; absent is unknown
 */
public record Row(
    String system,
    String workload,
    String op,
    int rounds,
    List<String> invalid,
    Map<Metric, Figure> figures) {

  public Row {
    invalid = List.copyOf(invalid);
    // An EnumMap keeps the order of the file.
    Map<Metric, Figure> ordered = new EnumMap<>(Metric.class);
    ordered.putAll(figures);
    figures = Collections.unmodifiableMap(ordered);
  }

  public boolean valid() {
    return invalid.isEmpty();
  }

  /** The figure, or {@link Figure#UNKNOWN}. */
  public Figure figure(Metric metric) {
    return figures.getOrDefault(metric, Figure.UNKNOWN);
  }
}
