package io.silkkv.ops;

import io.silkkv.ops.base.Console;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The group of the benchmarks; each is a command of its own. */
@Command(
    name = "bench",
    description = "Measures SilkKV beside its peers, under the same load in the same run.",
    mixinStandardHelpOptions = true)
final class BenchCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  private BenchCommand() {}

  /** The group with its commands; a new benchmark is added here. */
  static CommandLine commandLine(Console console) {
    return new CommandLine(new BenchCommand())
        .addSubcommand(BenchEngineCommand.commandLine(console))
        .addSubcommand(new BenchClusterCommand(console))
        .addSubcommand(new BenchCompareCommand(console));
  }

  @Override
  public void run() {
    CommandLine group = Objects.requireNonNull(spec).commandLine();
    throw new ParameterException(
        group, "name a benchmark: " + String.join(", ", group.getSubcommands().keySet()));
  }
}
