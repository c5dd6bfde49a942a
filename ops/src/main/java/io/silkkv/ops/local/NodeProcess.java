package io.silkkv.ops.local;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One node as an operating system process, and what can happen to it. Thread-safe; a process that
 * was started again replaces the one before.
 */
public final class NodeProcess {
  private static final long LOG_BYTES_MAX = 16L << 20;
  private static final int TAIL_BYTES = 8 << 10;
  private static final long POLL_MILLIS = 20;
  private static final int SIGNALLED = 128;

  private final String id;
  private final ClusterDirectory directory;
  private final Launcher launcher;
  private final LongSupplier nanoClock;

  @GuardedBy("this")
  private @Nullable Process process;

  NodeProcess(String id, ClusterDirectory directory, Launcher launcher, LongSupplier nanoClock) {
    this.id = id;
    this.directory = directory;
    this.launcher = launcher;
    this.nanoClock = nanoClock;
  }

  public String id() {
    return id;
  }

  /**
   * Starts the process; {@link #awaitReady} waits for it.
   *
   * @param settings {@code key=value}, over the node's configuration file
   */
  public synchronized void start(List<String> settings) throws IOException {
    if (process != null && process.isAlive()) {
      throw new IllegalStateException("node " + id + " runs already");
    }
    Path log = logFile();
    Files.createDirectories(log.getParent());
    if (Files.exists(log) && Files.size(log) > LOG_BYTES_MAX) {
      Files.move(log, log.resolveSibling("node.log.1"), StandardCopyOption.REPLACE_EXISTING);
    }
    List<String> arguments =
        new ArrayList<>(List.of("node", "--config", directory.configFile(id).toString()));
    settings.forEach(setting -> arguments.addAll(List.of("--set", setting)));
    Files.deleteIfExists(outFile());
    process =
        launcher
            .command(arguments)
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .redirectOutput(outFile().toFile())
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    Files.writeString(directory.pidFile(id), process.pid() + "\n");
  }

  /**
   * Waits for the node's ready line.
   *
   * @throws OpsException when the process ends first, with its exit code and last log lines, or
   *     when the time is over
   */
  public void awaitReady(Duration timeout) throws IOException, InterruptedException {
    Process started = current();
    long deadline = nanoClock.getAsLong() + timeout.toNanos();
    while (!isReady()) {
      if (started.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        throw new OpsException(
            started.exitValue() < SIGNALLED && started.exitValue() > 0
                ? started.exitValue()
                : ExitCode.FAULT,
            "node " + id + " did not start: it " + describe(started.exitValue()) + endOfLog());
      }
      if (nanoClock.getAsLong() > deadline) {
        throw new OpsException(
            ExitCode.UNAVAILABLE,
            "node "
                + id
                + " is not ready after "
                + timeout.toSeconds()
                + " s (process "
                + started.pid()
                + " still runs)"
                + endOfLog());
      }
    }
  }

  private boolean isReady() throws IOException {
    return Files.exists(outFile())
        && Files.readString(outFile()).lines().anyMatch(line -> line.startsWith("ready "));
  }

  /** Asks the process to end cleanly (SIGTERM); {@link #awaitExit} waits for it. */
  public void requestStop() {
    current().destroy();
  }

  /**
   * Waits for the end of the process.
   *
   * @return whether it ended within the time
   */
  public boolean awaitExit(Duration timeout) throws InterruptedException {
    return current().waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Ends the process without asking (SIGKILL), and waits until it is gone. */
  public void kill() throws InterruptedException {
    current().destroyForcibly().waitFor();
  }

  /** Freezes the process (SIGSTOP): its sockets stay open, nothing answers. */
  public void pause() throws IOException, InterruptedException {
    signal("STOP");
  }

  /** Lets a paused process go on. */
  public void resume() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    int code =
        new ProcessBuilder("kill", "-" + name, String.valueOf(pid())).inheritIO().start().waitFor();
    if (code != 0) {
      throw new IOException(
          "kill -" + name + " " + pid() + " of node " + id + " ended with " + code);
    }
  }

  public synchronized boolean isAlive() {
    return process != null && process.isAlive();
  }

  public long pid() {
    return current().pid();
  }

  /** Exit code of the ended process. */
  public int exitCode() {
    return current().exitValue();
  }

  /** Completes when the process that runs now ends. */
  public CompletableFuture<Process> onExit() {
    return current().onExit();
  }

  private synchronized Process current() {
    if (process == null) {
      throw new IllegalStateException("node " + id + " was not started");
    }
    return process;
  }

  /** What an exit code means, as the end of a sentence. */
  public static String describe(int exitCode) {
    return exitCode > SIGNALLED
        ? "was killed by signal " + (exitCode - SIGNALLED)
        : "ended with exit code " + exitCode;
  }

  public Path logFile() {
    return directory.logDirectory(id).resolve("node.log");
  }

  private Path outFile() {
    return directory.logDirectory(id).resolve("node.out");
  }

  private String endOfLog() throws IOException {
    return ". The end of " + logFile() + ":\n" + logTail();
  }

  /** The last lines of the log, for messages. */
  public String logTail() throws IOException {
    if (!Files.exists(logFile())) {
      return "";
    }
    try (RandomAccessFile log = new RandomAccessFile(logFile().toFile(), "r")) {
      int size = (int) Math.min(TAIL_BYTES, log.length());
      byte[] bytes = new byte[size];
      log.seek(log.length() - size);
      log.readFully(bytes);
      List<String> lines = new String(bytes, StandardCharsets.UTF_8).lines().toList();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
    }
  }
}
