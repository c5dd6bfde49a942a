package io.silkkv.ops;

import io.silkkv.client.AsyncKvClient;
import io.silkkv.client.KvClient;
import io.silkkv.client.KvException;
import io.silkkv.ops.admin.AdminClient;
import io.silkkv.ops.base.Console;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import io.silkkv.ops.load.BulkLoader;
import io.silkkv.ops.load.LoadReader;
import io.silkkv.ops.load.LoadState;
import io.silkkv.ops.load.RecordSink;
import io.silkkv.ops.load.RefusedRecordException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Loads a file into the cluster. */
@Command(
    name = "load",
    description = "Puts every line of a file: key<TAB>value, or {\"key\":..,\"value\":..} as JSON.",
    mixinStandardHelpOptions = true)
final class LoadCommand implements Callable<Integer> {
  private static final int DEADLINE_SECONDS = 60;
  private static final Duration ADMIN_DEADLINE = Duration.ofSeconds(5);
  private static final int IN_FLIGHT_BYTES = 16 << 20;

  private final Console console;

  @Mixin private Cluster cluster = new Cluster();
  @Mixin private LoadFileOptions fileOptions = new LoadFileOptions();

  @Option(
      names = "--in-flight",
      paramLabel = "N",
      defaultValue = "256",
      description = "Puts in flight (default ${DEFAULT-VALUE}).")
  private int inFlight;

  @Option(
      names = "--restart",
      description = "Load from the first line, whatever an earlier load has left behind.")
  private boolean restart;

  @Parameters(paramLabel = "FILE", description = "The file; - is standard input.")
  private Path file = Path.of("-");

  LoadCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (inFlight < 1 || inFlight > 2048) {
      throw new OpsException(
          ExitCode.BAD_INPUT, "--in-flight is " + inFlight + ", but must be 1 to 2048");
    }
    boolean isFile = !file.toString().equals("-");
    LoadState start = isFile ? startState() : new LoadState("", "", 0, 0, 0, 0);
    if (start.offset() > 0) {
      console
          .err()
          .printf(
              Locale.ROOT,
              "going on after line %,d (%s says so; --restart begins again)%n",
              start.lines(),
              LoadState.fileFor(file));
    }
    try (InputStream in = open(isFile, start.offset());
        KvClient client = cluster.connect(DEADLINE_SECONDS)) {
      BulkLoader loader =
          new BulkLoader(
              new LoadReader(in, fileOptions.format(file), start.offset(), start.lines()),
              sink(client.async()),
              new BulkLoader.Options(inFlight, IN_FLIGHT_BYTES, fileOptions.skipUnreadable()),
              new BulkLoader.Totals(start.offset(), start.lines(), start.loaded(), start.skipped()),
              bad -> console.err().println("\rskipped line " + bad.number() + ": " + bad.reason()));
      return run(loader, start, isFile);
    }
  }

  private int run(BulkLoader loader, LoadState start, boolean isFile)
      throws IOException, InterruptedException {
    long began = console.nanoClock().getAsLong();
    long size = isFile ? Files.size(file) : 0;
    LoadWatch watch = new LoadWatch(console, loader, start, isFile ? file : null, size);
    BulkLoader.Totals totals;
    try (watch) {
      totals = loader.run();
    } finally {
      watch.saveState();
    }
    if (isFile) {
      Files.deleteIfExists(LoadState.fileFor(file));
    }
    double seconds = Math.max(1e-3, (console.nanoClock().getAsLong() - began) / 1e9);
    long loadedNow = totals.loaded() - start.loaded();
    console
        .out()
        .printf(
            Locale.ROOT,
            "loaded %,d records from %,d lines (%s) in %.1f s, %,.0f/s; skipped %,d%n",
            totals.loaded(),
            totals.lines(),
            StatusCommand.bytes(totals.offset()),
            seconds,
            loadedNow / seconds,
            totals.skipped());
    return ExitCode.OK;
  }

  private LoadState startState() throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new OpsException(ExitCode.BAD_INPUT, "load file " + file + " does not exist");
    }
    String clusterId;
    try (AdminClient admin = new AdminClient(cluster.endpoints(), ADMIN_DEADLINE)) {
      clusterId = admin.map().shards().clusterId().toString();
    }
    if (restart) {
      Files.deleteIfExists(LoadState.fileFor(file));
    }
    return LoadState.read(file, clusterId)
        .orElse(new LoadState(clusterId, LoadState.fingerprint(file), 0, 0, 0, 0));
  }

  private InputStream open(boolean isFile, long offset) throws IOException {
    if (!isFile) {
      return System.in;
    }
    try {
      return Channels.newInputStream(FileChannel.open(file).position(offset));
    } catch (NoSuchFileException e) {
      throw new OpsException(ExitCode.BAD_INPUT, "load file " + file + " does not exist", e);
    }
  }

  private static RecordSink sink(AsyncKvClient client) {
    return (key, value) ->
        client
            .put(key, value)
            .handle(
                (version, error) -> {
                  if (error == null) {
                    return null;
                  }
                  Throwable cause = error instanceof CompletionException ? error.getCause() : error;
                  throw refusal(cause == null ? error : cause);
                });
  }

  private static RuntimeException refusal(Throwable cause) {
    return cause instanceof KvException.InvalidRequest refused
        ? new RefusedRecordException(String.valueOf(refused.getMessage()))
        : new CompletionException(cause);
  }
}
