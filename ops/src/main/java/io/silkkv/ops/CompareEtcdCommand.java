package io.silkkv.ops;

import io.silkkv.ops.base.Console;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import io.silkkv.ops.bench.EtcdComparison;
import io.silkkv.ops.bench.LoadWorker;
import io.silkkv.ops.local.Launcher;
import io.silkkv.ops.local.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** SilkKV beside etcd. */
@Command(
    name = "compare-etcd",
    description =
        "Starts three processes of etcd and of SilkKV, puts both under the same load in"
            + " turns, and prints rates and latencies as JSON.",
    mixinStandardHelpOptions = true)
final class CompareEtcdCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "16",
      description = "Load per side and operation (default ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--warm-up-seconds",
      paramLabel = "N",
      defaultValue = "45",
      description = "Before that, per side and operation (default ${DEFAULT-VALUE}).")
  private int warmUpSeconds;

  @Option(
      names = "--in-flight",
      paramLabel = "N",
      defaultValue = "64",
      description = "Calls in flight (default ${DEFAULT-VALUE}).")
  private int inFlight;

  @Option(
      names = "--value-bytes",
      paramLabel = "N",
      defaultValue = "1024",
      description = "Size of a value (default ${DEFAULT-VALUE}).")
  private int valueBytes;

  @Option(
      names = "--keys",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Different keys (default ${DEFAULT-VALUE}).")
  private int keys;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Keep data and logs there (default: a temporary directory, deleted).")
  private @Nullable Path dir;

  CompareEtcdCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (seconds < 4 || warmUpSeconds < 1 || inFlight < 1 || valueBytes < 0 || keys < 1) {
      throw new OpsException(
          ExitCode.BAD_INPUT,
          "at least 4 --seconds, and 1 --warm-up-seconds, --in-flight and --keys are needed");
    }
    if (dir != null && Files.exists(dir)) {
      throw new OpsException(
          ExitCode.BAD_INPUT, dir + " exists; name a new directory, because both start empty");
    }
    Path root = dir == null ? Files.createTempDirectory("silkkv-compare-") : dir;
    LoadWorker.Load load = new LoadWorker.Load(inFlight, valueBytes, keys);
    try {
      console
          .out()
          .println(
              new EtcdComparison(console, load, seconds, warmUpSeconds)
                  .run(Launcher.ofThisProcess(), root));
    } finally {
      if (dir == null) {
        LocalCluster.deleteTree(root);
      }
    }
    return ExitCode.OK;
  }
}
