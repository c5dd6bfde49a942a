package io.silkkv.ops;

import io.silkkv.ops.base.Console;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.bench.engine.EngineBench;
import io.silkkv.ops.bench.engine.EngineBenchOptions;
import io.silkkv.ops.bench.load.figures.Measurement;
import io.silkkv.ops.bench.report.HtmlPage;
import io.silkkv.ops.bench.report.ReportJson;
import io.silkkv.ops.bench.report.ResultTable;
import io.silkkv.ops.bench.report.Rounds;
import io.silkkv.ops.bench.report.RunProgress;
import io.silkkv.ops.bench.report.RunReport;
import io.silkkv.ops.local.Launcher;
import io.silkkv.router.SuppressForbidden;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The storage engine beside RocksDB. */
@Command(
    name = "engine",
    description = {
      "Measures storage engines under the same load, one after the other, each in a process of its"
          + " own.",
      "With --device-limit, each gets a device that carries exactly that much, as a cloud volume"
          + " does; so it shows who stalls when clients and compactions want it at once.",
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class BenchEngineCommand implements Callable<Integer> {
  private final Console console;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private final EngineBenchOptions options = new EngineBenchOptions();

  @Option(names = "--json", paramLabel = "FILE", description = "Write all figures there.")
  private @Nullable Path json;

  @Option(names = "--html", paramLabel = "FILE", description = "Write a page to look at there.")
  private @Nullable Path html;

  private BenchEngineCommand(Console console) {
    this.console = console;
  }

  static CommandLine commandLine(Console console) {
    CommandLine command = new CommandLine(new BenchEngineCommand(console));
    command
        .getCommandSpec()
        .usageMessage()
        .footer(EngineBenchOptions.choices().toArray(String[]::new));
    return command;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    int width = ResultTable.terminalWidth(console.environment());
    EngineBench bench =
        new EngineBench(options, new RunProgress(console.err(), console.interactive(), width));
    String started = now();
    // Written again after each system: what was measured is not lost when a later one takes too
    // long for the person who waits.
    EngineBench.Outcome outcome =
        bench.run(Launcher.ofThisProcess(), soFar -> write(report(bench, started, soFar)));
    RunReport report = report(bench, started, outcome.measurements());
    console.out().print(ResultTable.text(report, width));
    console.out().flush();
    if (!outcome.failures().isEmpty()) {
      outcome.failures().forEach(line -> console.err().println("silkkv: FAILED " + line));
      return ExitCode.FAULT;
    }
    boolean wrong =
        outcome.measurements().stream().anyMatch(one -> one.load().oracle().mismatches() > 0);
    return wrong ? ExitCode.NOT_FOUND : ExitCode.OK;
  }

  private RunReport report(EngineBench bench, String started, List<Measurement> measurements) {
    String command =
        "silkkv "
            + String.join(
                " ",
                Objects.requireNonNull(spec).root().commandLine().getParseResult().originalArgs());
    return Rounds.report(command, started, bench.machine(), measurements);
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

  @SuppressForbidden(reason = "the date of a report, for people")
  private static String now() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
