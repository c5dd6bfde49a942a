package io.silkkv.ops;

import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Help for {@code node}. The launcher starts the node's own main class instead: the process is the
 * node, with the node's exit codes and signals.
 */
@Command(
    name = "node",
    description = "Runs one node in this process until SIGTERM.",
    mixinStandardHelpOptions = true)
final class NodeCommand implements Runnable {
  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "The node's configuration file; its keys are listed in node/README.md.")
  private @Nullable Path config;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Overrides a key of the file; may be repeated.")
  private @Nullable List<String> settings;

  @Override
  public void run() {
    throw new OpsException(
        ExitCode.BAD_INPUT,
        "start a node through bin/silkkv, which chooses its JVM flags: silkkv node --config "
            + config
            + (settings == null ? "" : " --set " + String.join(" --set ", settings)));
  }
}
