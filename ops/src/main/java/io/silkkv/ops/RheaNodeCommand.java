package io.silkkv.ops;

import io.silkkv.ops.base.Console;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.bench.cluster.RheaNode;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A server process of RheaKV in {@code bench cluster}; not for people. */
@Command(name = "rheakv-node", description = "Part of bench cluster.", hidden = true)
final class RheaNodeCommand implements Callable<Integer> {
  private final Console console;

  @Option(names = "--dir", required = true)
  private Path dir = Path.of("");

  @Option(names = "--address", required = true)
  private String address = "";

  @Option(names = "--members", required = true, split = ",")
  private List<String> members = List.of();

  @Option(names = "--split-at", split = ",")
  private List<String> splitAt = List.of();

  RheaNodeCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws InterruptedException {
    RheaNode.run(dir, address, members, splitAt, console);
    return ExitCode.OK;
  }
}
