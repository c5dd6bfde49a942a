package io.silkkv.ops.bench.report;

import io.silkkv.ops.bench.load.figures.GeneratorFigures;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One round of one system under one workload, second by second, and how well the load generator did
 * in it.
 *
 * @param round from 1 on
 * @param mode {@code open} or {@code closed}
 * @param offered operations of all kinds that were due, per second; empty in a closed loop
 * @param ops per operation, by its lower-case name
 * @param io bytes that moved between the system and its device or peers, per second and class;
 *     empty for systems that do not tell
 * @param readsChecked answers that were compared with what had been written
 * @param notes the first errors and mismatches, for people
 */
public record Series(
    String system,
    String workload,
    int round,
    String mode,
    List<Double> offered,
    Map<String, OpSeries> ops,
    Map<String, List<Double>> io,
    GeneratorFigures generator,
    long readsChecked,
    List<String> notes) {

  public Series {
    offered = List.copyOf(offered);
    ops = Collections.unmodifiableMap(new LinkedHashMap<>(ops));
    io = Collections.unmodifiableMap(new LinkedHashMap<>(io));
    notes = List.copyOf(notes);
  }

  /** Seconds of the load. Traffic may have been watched a little longer. */
  int seconds() {
    int seconds = offered.size();
    for (OpSeries op : ops.values()) {
      seconds = Math.max(seconds, op.seconds());
    }
    return seconds;
  }
}
