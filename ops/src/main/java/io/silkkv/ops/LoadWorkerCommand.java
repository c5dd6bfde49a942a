package io.silkkv.ops;

import io.silkkv.ops.base.Console;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.bench.LoadWorker;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The child process of {@code compare-etcd}; not for people. */
@Command(name = "load-worker", description = "Part of compare-etcd.", hidden = true)
final class LoadWorkerCommand implements Callable<Integer> {
  private final Console console;

  @Option(names = "--target", required = true)
  private String target = "";

  @Option(names = "--endpoint", required = true, split = ",")
  private List<String> endpoints = List.of();

  @Option(names = "--in-flight", required = true)
  private int inFlight;

  @Option(names = "--value-bytes", required = true)
  private int valueBytes;

  @Option(names = "--keys", required = true)
  private int keys;

  LoadWorkerCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    LoadWorker.serve(
        target, endpoints, new LoadWorker.Load(inFlight, valueBytes, keys), System.in, console);
    return ExitCode.OK;
  }
}
