package io.silkkv.ops;

import io.silkkv.ops.base.Console;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.bench.report.Comparison;
import io.silkkv.ops.bench.report.ReportJson;
import io.silkkv.ops.bench.report.ResultTable;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Two results of {@code bench} side by side. */
@Command(
    name = "compare",
    aliases = "--compare",
    description =
        "Prints the figures of two result files, new over old, and what each difference is worth.",
    mixinStandardHelpOptions = true)
final class BenchCompareCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(index = "0", paramLabel = "OLD.json", description = "What --json wrote before.")
  private Path old = Path.of("");

  @Parameters(index = "1", paramLabel = "NEW.json", description = "What --json wrote now.")
  private Path now = Path.of("");

  BenchCompareCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    console
        .out()
        .print(
            Comparison.text(
                ReportJson.read(old),
                ReportJson.read(now),
                ResultTable.terminalWidth(console.environment())));
    return ExitCode.OK;
  }
}
