package io.silkkv.ops.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The result as text: per workload one table of the latencies, one of what they cost, and the
 * reasons why rows must not be quoted. Columns that nothing was measured for are left out.
 */
public final class ResultTable {
  private static final List<Metric> LATENCY =
      List.of(
          Metric.OFFERED_PER_S,
          Metric.OPS_PER_S,
          Metric.P50_US,
          Metric.P90_US,
          Metric.P99_US,
          Metric.P999_US,
          Metric.P9999_US,
          Metric.MAX_US,
          Metric.BAD_SECONDS,
          Metric.STALL_MS,
          Metric.ERRORS,
          Metric.UNANSWERED);

  private static final List<Metric> COST =
      Stream.of(Metric.values()).filter(metric -> metric.scope() == Metric.Scope.RUN).toList();

  private ResultTable() {}

  /**
   * The tables.
   *
   * @param width characters per line, when that is possible
   */
  public static String text(RunReport report, int width) {
    StringBuilder text = new StringBuilder();
    for (String workload : report.workloads()) {
      List<Row> rows =
          report.rows().stream().filter(row -> row.workload().equals(workload)).toList();
      int rounds = rows.stream().mapToInt(Row::rounds).max().orElse(1);
      text.append(text.isEmpty() ? "" : "\n")
          .append(workload)
          .append(rounds > 1 ? ": medians of " + rounds + " rounds" : ": one round")
          .append("\n\n")
          .append(latencies(rows, width))
          .append('\n')
          .append(costs(rows, width));
    }
    text.append(complaints(report));
    return text.toString();
  }

  private static String latencies(List<Row> rows, int width) {
    List<Metric> metrics = measured(LATENCY, rows);
    TextTable table = table(List.of("system", "op"), metrics);
    for (Row row : rows) {
      List<String> cells = new ArrayList<>(List.of(name(row), row.op()));
      metrics.forEach(metric -> cells.add(metric.unit().text(row.figure(metric).value())));
      table.row(cells);
    }
    return table.text(width);
  }

  private static String costs(List<Row> rows, int width) {
    List<Metric> metrics = measured(COST, rows);
    TextTable table = table(List.of("system"), metrics);
    Set<String> seen = new LinkedHashSet<>();
    for (Row row : rows) {
      if (seen.add(row.system())) {
        List<String> cells = new ArrayList<>(List.of(name(row)));
        metrics.forEach(metric -> cells.add(metric.unit().text(row.figure(metric).value())));
        table.row(cells);
      }
    }
    return metrics.isEmpty() ? "" : table.text(width);
  }

  /** The mark stands beside the name, because that column is never left out. */
  private static String name(Row row) {
    return row.valid() ? row.system() : "INVALID " + row.system();
  }

  private static TextTable table(List<String> names, List<Metric> metrics) {
    List<TextTable.Column> columns = new ArrayList<>();
    names.forEach(name -> columns.add(new TextTable.Column(name, true)));
    metrics.forEach(metric -> columns.add(new TextTable.Column(metric.title(), false)));
    return new TextTable(names.size(), columns);
  }

  private static List<Metric> measured(List<Metric> metrics, List<Row> rows) {
    return metrics.stream()
        .filter(metric -> rows.stream().anyMatch(row -> row.figure(metric).isKnown()))
        .toList();
  }

  private static String complaints(RunReport report) {
    Set<String> lines = new LinkedHashSet<>();
    for (Row row : report.rows()) {
      for (String reason : row.invalid()) {
        lines.add("INVALID " + row.system() + " (" + row.workload() + "): " + reason);
      }
    }
    return lines.isEmpty() ? "" : "\n" + String.join("\n", lines) + "\n";
  }

  /**
   * The width of the terminal by the environment variable COLUMNS, which shells set and may export;
   * 100 without one.
   */
  public static int terminalWidth(Map<String, String> environment) {
    String columns = environment.getOrDefault("COLUMNS", "");
    return columns.matches("[1-9][0-9]{0,3}") ? Integer.parseInt(columns) : 100;
  }
}
