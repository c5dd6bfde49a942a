package io.silkkv.ops.bench.cluster;

import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import io.silkkv.ops.bench.cluster.ClusterLoad.ClusterOp;
import io.silkkv.ops.bench.load.Progress;
import io.silkkv.ops.bench.report.FiguresJson;
import io.silkkv.ops.local.Launcher;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Drives a {@link ClusterWorker} in a child process. For one thread, but {@link #close}, which may
 * come from any.
 */
final class WorkerProcess implements AutoCloseable {
  private static final int TAIL_LINES = 15;

  private final String system;
  private final Path log;
  private final Process process;
  private final BufferedReader answers;
  private final Writer commands;

  /**
   * @param log where what the worker and the system's client print goes
   */
  WorkerProcess(Launcher launcher, ClusterSystem system, Path log, ClusterLoad load)
      throws IOException {
    this.system = system.name();
    this.log = log;
    List<String> command =
        List.of(
            "bench-cluster-worker",
            "--system=" + system.name(),
            "--endpoint=" + String.join(",", system.endpoints()),
            "--inflight=" + load.inFlight(),
            "--value=" + load.valueBytes(),
            "--keys=" + load.keys(),
            "--scan-length=" + load.scanLength(),
            "--shards=" + load.shards(),
            "--rate=" + load.rate());
    this.process = launcher.command(command).redirectError(log.toFile()).start();
    this.answers = process.inputReader(StandardCharsets.UTF_8);
    this.commands = process.outputWriter(StandardCharsets.UTF_8);
  }

  void fill() throws IOException {
    send("fill");
    String answer = receive();
    if (!answer.equals(ClusterWorker.FILLED)) {
      throw unexpected(answer);
    }
  }

  /**
   * Runs the load once.
   *
   * @param pids of the members, in the order of the end points
   */
  RoundAnswer run(
      ClusterOp op, double seconds, Fault fault, List<Long> pids, Progress.Listener listener)
      throws IOException {
    send(
        String.format(
            Locale.ROOT,
            "run %s %s %s %s",
            op.optionName(),
            seconds,
            fault.optionName(),
            pids.stream().map(String::valueOf).collect(Collectors.joining(","))));
    while (true) {
      String answer = receive();
      if (answer.startsWith(ClusterWorker.ROUND)) {
        return FiguresJson.parse(answer.substring(ClusterWorker.ROUND.length()), RoundAnswer.class);
      }
      if (!answer.startsWith(ClusterWorker.PROGRESS)) {
        throw unexpected(answer);
      }
      listener.progress(
          FiguresJson.parse(answer.substring(ClusterWorker.PROGRESS.length()), Progress.class));
    }
  }

  private void send(String command) throws IOException {
    commands.write(command + "\n");
    commands.flush();
  }

  private String receive() throws IOException {
    @Nullable String line = answers.readLine();
    if (line == null) {
      List<String> lines = Files.readAllLines(log);
      throw new OpsException(
          ExitCode.UNAVAILABLE,
          "the load generator for "
              + system
              + " ended. The end of "
              + log
              + ":\n"
              + String.join(
                  "\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size())));
    }
    return line;
  }

  private OpsException unexpected(String answer) {
    return new OpsException(
        ExitCode.FAULT, "the load generator for " + system + " answered '" + answer + "'");
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
