package io.silkkv.ops.bench.report;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Everything that is known about one call of a benchmark; the JSON file holds it all.
 *
 * @param command what was typed
 * @param started when, as ISO 8601 in UTC
 * @param machine where
 * @param systems what ran, in the order of the command line
 * @param rows the results
 * @param series the seconds behind them
 */
public record RunReport(
    String command,
    String started,
    MachineFacts machine,
    List<SystemFacts> systems,
    List<Row> rows,
    List<Series> series) {

  public RunReport {
    systems = List.copyOf(systems);
    rows = List.copyOf(rows);
    series = List.copyOf(series);
  }

  /** Workloads in the order of their first row. */
  List<String> workloads() {
    Set<String> names = new LinkedHashSet<>();
    rows.forEach(row -> names.add(row.workload()));
    return List.copyOf(names);
  }

  /** Operations of a workload in the order of their first row. */
  List<String> operations(String workload) {
    Set<String> names = new LinkedHashSet<>();
    rows.stream()
        .filter(row -> row.workload().equals(workload))
        .forEach(row -> names.add(row.op()));
    return List.copyOf(names);
  }

  /** Whether every figure may be quoted. */
  public boolean valid() {
    return rows.stream().allMatch(Row::valid);
  }
}
