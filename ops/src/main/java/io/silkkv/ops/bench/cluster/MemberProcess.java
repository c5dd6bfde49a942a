package io.silkkv.ops.bench.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.ops.local.NodeProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A server process of a peer. Its output goes to one log file. Thread-safe; a process that was
 * started again replaces the one before.
 */
final class MemberProcess {
  private static final int TAIL_LINES = 15;

  private final String name;
  private final Path log;
  private final Function<List<String>, ProcessBuilder> launch;

  @GuardedBy("this")
  private @Nullable Process process;

  /**
   * @param launch makes a process of a command
   */
  MemberProcess(String name, Path log, Function<List<String>, ProcessBuilder> launch) {
    this.name = name;
    this.log = log;
    this.launch = launch;
  }

  String name() {
    return name;
  }

  synchronized void start(List<String> command) throws IOException {
    Files.createDirectories(log.getParent());
    process =
        launch
            .apply(command)
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
  }

  /** Waits a moment; whether the process has ended. */
  boolean endedWithin(long millis) throws InterruptedException {
    return current().waitFor(millis, TimeUnit.MILLISECONDS);
  }

  void kill() throws InterruptedException {
    current().destroyForcibly().waitFor();
  }

  synchronized void destroy() {
    if (process != null) {
      process.destroyForcibly();
    }
  }

  long pid() {
    return current().pid();
  }

  private synchronized Process current() {
    if (process == null) {
      throw new IllegalStateException(name + " was not started");
    }
    return process;
  }

  /** How it ended and the last lines of its log, for a message. */
  String lastWords() throws IOException {
    Process last = current();
    String end = last.isAlive() ? "it still runs" : "it " + NodeProcess.describe(last.exitValue());
    List<String> lines = Files.readAllLines(log);
    return end
        + ". The end of "
        + log
        + ":\n"
        + String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
  }

  Path log() {
    return log;
  }
}
