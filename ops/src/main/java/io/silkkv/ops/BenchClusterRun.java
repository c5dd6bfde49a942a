package io.silkkv.ops;

import io.silkkv.ops.base.Console;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.bench.cluster.ClusterBench;
import io.silkkv.ops.bench.report.Figure;
import io.silkkv.ops.bench.report.HtmlPage;
import io.silkkv.ops.bench.report.MachineFacts;
import io.silkkv.ops.bench.report.Metric;
import io.silkkv.ops.bench.report.ReportJson;
import io.silkkv.ops.bench.report.ResultTable;
import io.silkkv.ops.bench.report.Rounds;
import io.silkkv.ops.bench.report.Row;
import io.silkkv.ops.bench.report.RunProgress;
import io.silkkv.ops.bench.report.RunReport;
import io.silkkv.ops.local.Launcher;
import io.silkkv.ops.local.LocalCluster;
import io.silkkv.router.SuppressForbidden;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One call of {@code bench cluster}: runs it, and writes what was found.
 *
 * @param command what was typed
 * @param json where figures go; null is nowhere
 * @param html where the page goes; null is nowhere
 * @param dir for data and logs, kept; null is a temporary directory
 */
record BenchClusterRun(
    Console console,
    String command,
    ClusterBench.Plan plan,
    @Nullable Path json,
    @Nullable Path html,
    @Nullable Path dir) {

  /** Returns the exit code. */
  int run() throws IOException, InterruptedException {
    String started = now();
    int width = ResultTable.terminalWidth(console.environment());
    RunProgress progress = new RunProgress(console.err(), console.interactive(), width);
    // Written again after each round: what was measured is not lost when a later one fails.
    RunReport report = report(started, measure(progress, soFar -> write(report(started, soFar))));
    console.out().print(ResultTable.text(report, width));
    console.out().flush();
    boolean wrong =
        report.rows().stream().anyMatch(row -> row.figure(Metric.ORACLE_MISMATCHES).value() > 0);
    return wrong ? ExitCode.NOT_FOUND : ExitCode.OK;
  }

  private void write(RunReport report) {
    try {
      if (json != null) {
        ReportJson.write(json, report);
      }
      if (html != null) {
        HtmlPage.write(html, report);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ClusterBench.Outcome measure(
      RunProgress progress, Consumer<ClusterBench.Outcome> finished)
      throws IOException, InterruptedException {
    Path root = dir == null ? Files.createTempDirectory("silkkv-bench-") : dir;
    ClusterBench bench = new ClusterBench(console, plan, progress);
    // Ctrl-C must not leave servers behind.
    Thread hook = new Thread(bench::close, "kill-servers");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      return bench.run(Launcher.ofThisProcess(), root, finished);
    } finally {
      bench.close();
      Runtime.getRuntime().removeShutdownHook(hook);
      if (dir == null) {
        LocalCluster.deleteTree(root);
      }
    }
  }

  private RunReport report(String started, ClusterBench.Outcome outcome) {
    RunReport plain =
        Rounds.report(command, started, MachineFacts.read(null), outcome.measurements());
    List<Row> rows = new ArrayList<>();
    for (Row row : plain.rows()) {
      Map<Metric, Figure> figures = new EnumMap<>(row.figures());
      List<ClusterBench.FaultOutcome> faults =
          outcome.faults().stream()
              .filter(f -> f.system().equals(row.system()) && f.workload().equals(row.workload()))
              .toList();
      figures.put(
          Metric.UNAVAILABLE_MS,
          Figure.median(faults.stream().map(f -> f.figures().unavailableMillis()).toList()));
      figures.put(
          Metric.RATE_BACK_MS,
          Figure.median(faults.stream().map(f -> f.figures().rateBackMillis()).toList()));
      rows.add(
          new Row(row.system(), row.workload(), row.op(), row.rounds(), row.invalid(), figures));
    }
    return new RunReport(
        plain.command(), plain.started(), plain.machine(), plain.systems(), rows, plain.series());
  }

  @SuppressForbidden(reason = "the date of a report, for people")
  private static String now() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
