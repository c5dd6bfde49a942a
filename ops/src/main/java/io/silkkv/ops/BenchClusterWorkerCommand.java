package io.silkkv.ops;

import io.silkkv.ops.base.Console;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.bench.cluster.ClusterLoad;
import io.silkkv.ops.bench.cluster.ClusterWorker;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The load generator of {@code bench cluster}, a process per system; not for people. */
@Command(name = "bench-cluster-worker", description = "Part of bench cluster.", hidden = true)
final class BenchClusterWorkerCommand implements Callable<Integer> {
  private final Console console;

  @Option(names = "--system", required = true)
  private String system = "";

  @Option(names = "--endpoint", required = true, split = ",")
  private List<String> endpoints = List.of();

  @Option(names = "--inflight", required = true)
  private int inFlight;

  @Option(names = "--value", required = true)
  private int valueBytes;

  @Option(names = "--keys", required = true)
  private int keys;

  @Option(names = "--scan-length", required = true)
  private int scanLength;

  @Option(names = "--shards", required = true)
  private int shards;

  @Option(names = "--rate", required = true)
  private double rate;

  BenchClusterWorkerCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    // Standard output is for answers; some clients print there.
    System.setOut(System.err);
    ClusterWorker.serve(
        system,
        endpoints,
        new ClusterLoad(inFlight, valueBytes, keys, scanLength, shards, rate),
        System.in,
        console);
    return ExitCode.OK;
  }
}
