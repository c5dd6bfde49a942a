package io.silkkv.ops.bench.engine;

import io.silkkv.ops.base.Console;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import io.silkkv.ops.bench.load.figures.Measurement;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * The process that holds one measured system and its load. It reads its task, then the word to go
 * on, and tells its parent what {@link WorkerMessage} describes. When its input ends, so does the
 * process: the parent is gone, or has given up.
 */
public final class EngineWorker {
  /** The parent says two words at most. */
  private static final int WORDS = 4;

  private final Console console;
  private final BlockingQueue<String> words = new ArrayBlockingQueue<>(WORDS);

  private EngineWorker(Console console) {
    this.console = console;
  }

  /**
   * Measures once.
   *
   * @return the exit code of the process
   */
  public static int serve(InputStream input, Console console) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8));
    @Nullable String first = lines.readLine();
    if (first == null) {
      throw new OpsException(
          ExitCode.BAD_INPUT, "this command is a part of 'bench engine' and not for people");
    }
    EngineWorker worker = new EngineWorker(console);
    Thread reader = new Thread(() -> worker.read(lines), "bench-parent");
    reader.setDaemon(true);
    reader.start();
    return worker.measure(WorkerMessage.GSON.fromJson(first, WorkerTask.class));
  }

  private void read(BufferedReader lines) {
    try {
      for (@Nullable String line = lines.readLine(); line != null; line = lines.readLine()) {
        words.add(line);
      }
    } catch (IOException e) {
      console.err().println("silkkv: the parent cannot be heard any more: " + e.getMessage());
    }
    // An engine that is stuck must not keep the process: nothing here is worth a clean end.
    Runtime.getRuntime().halt(ExitCode.FAULT);
  }

  private int measure(WorkerTask task) {
    try {
      Measurement measurement;
      Path directory = Files.createDirectories(Path.of(task.directory()));
      EngineSystems.Context context =
          new EngineSystems.Context(console.nanoClock(), task.plan().seed(), task.fixedRate());
      try (MeasuredEngine engine =
          EngineSystems.open(task.system(), directory, task.settings(), context)) {
        measurement =
            new EngineRun(task, engine, this::tell, console.nanoClock()).run(() -> gate(task));
      }
      tell(new WorkerMessage.Done(measurement));
      return ExitCode.OK;
    } catch (OpsException e) {
      tell(new WorkerMessage.Failed(String.valueOf(e.getMessage()), e.exitCode()));
      return e.exitCode();
    } catch (Exception | LinkageError e) {
      e.printStackTrace(console.err());
      tell(new WorkerMessage.Failed(e.toString(), ExitCode.FAULT));
      return ExitCode.FAULT;
    }
  }

  /** The parent sets the limit, and looks whether the probe agrees. */
  private void gate(WorkerTask task) throws IOException, InterruptedException {
    tell(new WorkerMessage.Ready());
    awaitGo();
    if (task.probeSeconds() > 0) {
      DeviceProbe probe = new DeviceProbe(console.nanoClock());
      tell(new WorkerMessage.Probed(probe.run(Path.of(task.directory()), task.probeSeconds())));
      awaitGo();
    }
  }

  private void awaitGo() throws InterruptedException {
    String word = words.take();
    if (!word.equals(WorkerMessage.GO)) {
      throw new OpsException(ExitCode.FAULT, "the parent said '" + word + "'");
    }
  }

  /** Called by one thread at a time. */
  private void tell(WorkerMessage message) {
    console.out().println(WorkerMessage.encode(message));
    console.out().flush();
  }
}
