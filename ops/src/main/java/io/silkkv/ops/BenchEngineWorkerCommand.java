package io.silkkv.ops;

import io.silkkv.ops.base.Console;
import io.silkkv.ops.bench.engine.EngineWorker;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** The child process of {@code bench engine}; not for people. */
@Command(name = "bench-engine-worker", description = "Part of bench engine.", hidden = true)
final class BenchEngineWorkerCommand implements Callable<Integer> {
  private final Console console;

  BenchEngineWorkerCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    return EngineWorker.serve(System.in, console);
  }
}
