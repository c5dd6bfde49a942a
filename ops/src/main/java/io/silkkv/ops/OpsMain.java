package io.silkkv.ops;

import io.silkkv.client.KvException;
import io.silkkv.ops.base.Console;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import io.silkkv.ops.engine.EngineCommand;
import io.silkkv.router.SuppressForbidden;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line: {@code bin/silkkv} ends here. */
@Command(
    name = "silkkv",
    description = "A sharded, Raft-replicated key-value store.",
    mixinStandardHelpOptions = true,
    version = "SilkKV 0.1.0",
    footer = {
      "",
      "Exit codes: 0 done, 1 not found or different, 2 bad input, 3 the cluster does not answer,",
      "70 fault, 75 address or directory in use."
    })
public final class OpsMain {
  private OpsMain() {}

  public static void main(String[] args) {
    System.exit(run(console(), args));
  }

  /** Runs one command and returns its exit code. */
  static int run(Console console, String... args) {
    CommandLine commands =
        new CommandLine(new OpsMain())
            .addSubcommand(new UpCommand(console))
            .addSubcommand(new NodeCommand())
            .addSubcommand(new KvCommand(console))
            .addSubcommand(new StatusCommand(console))
            .addSubcommand(new LoadCommand(console))
            .addSubcommand(new DigestCommand(console))
            .addSubcommand(new DemoCommand(console))
            .addSubcommand(BenchCommand.commandLine(console))
            .addSubcommand(EngineCommand.commandLine(console))
            .addSubcommand(new BenchEngineWorkerCommand(console))
            .addSubcommand(new BenchClusterWorkerCommand(console))
            .addSubcommand(new RheaNodeCommand(console));
    commands.setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8));
    commands.setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8));
    commands.setExecutionExceptionHandler(
        (failure, command, parsed) -> {
          Exception known =
              failure instanceof KvException refused ? Cluster.explain(refused) : failure;
          if (known instanceof OpsException expected) {
            console.err().println("silkkv: " + expected.getMessage());
            return expected.exitCode();
          }
          failure.printStackTrace(console.err());
          return ExitCode.FAULT;
        });
    if (args.length == 0) {
      commands.usage(console.err());
      return ExitCode.BAD_INPUT;
    }
    return commands.execute(args);
  }

  /** The real world; the only place that reads the process's clock. */
  @SuppressForbidden(reason = "clocks of a process come from here")
  private static Console console() {
    return new Console(
        System.out,
        System.err,
        Boolean.getBoolean("silkkv.terminal"),
        System::nanoTime,
        System.getenv());
  }
}
