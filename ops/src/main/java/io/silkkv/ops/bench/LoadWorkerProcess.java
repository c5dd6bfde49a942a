package io.silkkv.ops.bench;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import io.silkkv.ops.local.Launcher;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Drives a {@link LoadWorker} in a child process. For one thread. */
final class LoadWorkerProcess implements AutoCloseable {
  private final String kind;
  private final Process process;
  private final BufferedReader answers;
  private final Writer commands;

  /** What a round of load found. */
  record Round(long calls, long errors, double seconds, String firstError, Histogram micros) {}

  LoadWorkerProcess(Launcher launcher, String kind, List<String> endpoints, LoadWorker.Load load)
      throws IOException {
    this.kind = kind;
    this.process =
        launcher
            .command(
                List.of(
                    "load-worker",
                    "--target=" + kind,
                    "--endpoint=" + String.join(",", endpoints),
                    "--in-flight=" + load.inFlight(),
                    "--value-bytes=" + load.valueBytes(),
                    "--keys=" + load.keys()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    this.answers = process.inputReader(StandardCharsets.UTF_8);
    this.commands = process.outputWriter(StandardCharsets.UTF_8);
  }

  Round run(String op, int seconds) throws IOException {
    commands.write(op + " " + seconds + "\n");
    commands.flush();
    @Nullable String line = answers.readLine();
    if (line == null) {
      throw new OpsException(
          ExitCode.UNAVAILABLE, "the load generator for " + kind + " ended; its message is above");
    }
    JsonObject json = JsonParser.parseString(line).getAsJsonObject();
    try {
      Histogram micros =
          Histogram.decodeFromCompressedByteBuffer(
              ByteBuffer.wrap(Base64.getDecoder().decode(json.get("histogram").getAsString())), 0);
      return new Round(
          json.get("calls").getAsLong(),
          json.get("errors").getAsLong(),
          json.get("seconds").getAsDouble(),
          json.get("first_error").getAsString(),
          micros);
    } catch (DataFormatException e) {
      throw new IOException("the load generator for " + kind + " answered " + line, e);
    }
  }

  @Override
  public void close() throws IOException {
    commands.close();
    process.destroy();
  }
}
