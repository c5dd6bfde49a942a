package io.silkkv.ops.bench.engine;

import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import io.silkkv.ops.local.Launcher;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The parent's end of an {@link EngineWorker}. For one thread, but for {@link #kill}. */
final class EngineWorkerProcess {
  private static final long MIB = 1 << 20;

  /** Load generator, memtable buffers in flight, tables' indexes; the block cache comes on top. */
  private static final long HEAP_MIB = 768;

  private final Process process;
  private final BufferedReader answers;
  private final Writer commands;

  private EngineWorkerProcess(Process process) {
    this.process = process;
    this.answers = process.inputReader(StandardCharsets.UTF_8);
    this.commands = process.outputWriter(StandardCharsets.UTF_8);
  }

  /** Starts a worker, which waits for its task. */
  static EngineWorkerProcess start(Launcher launcher, EngineSettings settings) throws IOException {
    ProcessBuilder builder =
        launcher
            .command(List.of("bench-engine-worker"))
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    // What a system may hold is an option of the benchmark, and so is not known to the launcher.
    long heap = HEAP_MIB + settings.cacheBytes() / MIB;
    long direct = 2 * settings.memtableBudgetBytes() / MIB + 256;
    builder
        .environment()
        .merge(
            "SILKKV_JAVA_OPTS",
            "-Xms" + heap + "m -Xmx" + heap + "m -XX:MaxDirectMemorySize=" + direct + "m",
            (users, ours) -> ours + " " + users);
    return new EngineWorkerProcess(builder.start());
  }

  long pid() {
    return process.pid();
  }

  void give(WorkerTask task) throws IOException {
    say(WorkerMessage.GSON.toJson(task));
  }

  void go() throws IOException {
    say(WorkerMessage.GO);
  }

  private void say(String line) throws IOException {
    commands.write(line + "\n");
    commands.flush();
  }

  /**
   * Waits for what the worker says next.
   *
   * @throws OpsException when it has ended or says that it failed
   */
  WorkerMessage next() throws IOException, InterruptedException {
    @Nullable String line = answers.readLine();
    if (line == null) {
      int code = process.waitFor();
      throw new OpsException(
          ExitCode.FAULT,
          "the process of the measured system ended with "
              + code
              + " (137 and 143: it was killed); its last words are above");
    }
    WorkerMessage message = WorkerMessage.decode(line);
    if (message instanceof WorkerMessage.Failed failed) {
      throw new OpsException(failed.exitCode(), failed.message());
    }
    return message;
  }

  /** Ends the process at once, and waits for that; its data is of no use to anybody. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    if (!process.waitFor(30, TimeUnit.SECONDS)) {
      throw new IllegalStateException("process " + process.pid() + " does not die");
    }
  }
}
