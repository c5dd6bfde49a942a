package io.silkkv.ops.bench;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import io.silkkv.ops.base.Console;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * One side of a comparison, in a process of its own that stays warm between rounds. It reads
 * commands, one per line, and answers each with one line of JSON:
 *
 * <pre>
 * fill 0 | put SECONDS | get SECONDS
 * {"op":..., "calls":..., "errors":..., "seconds":..., "first_error":...,
 *  "p99_millis":..., "histogram":...}
 * </pre>
 *
 * The histogram is an HdrHistogram of microseconds, compressed and in base64. The end of the input
 * ends the worker. {@link LoadWorkerProcess} is the other end.
 */
public final class LoadWorker {
  private static final Duration CALL_LIMIT = Duration.ofSeconds(30);
  private static final long SEED = 20_260_101L;

  private final Target target;
  private final Load load;
  private final Console console;
  private final byte[] value;
  private long nextNumber;

  /**
   * The load.
   *
   * @param keys number of different keys; puts overwrite them, gets read them
   */
  public record Load(int inFlight, int valueBytes, int keys) {}

  private LoadWorker(Target target, Load load, Console console) {
    this.target = target;
    this.load = load;
    this.console = console;
    this.value = new byte[load.valueBytes()];
    new SplittableRandom(SEED).nextBytes(value);
  }

  /**
   * Serves commands until the input ends.
   *
   * @param kind silkkv or etcd
   */
  public static void serve(
      String kind, List<String> endpoints, Load load, InputStream commands, Console console)
      throws IOException, InterruptedException {
    try (Target target = target(kind, endpoints);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(commands, StandardCharsets.UTF_8))) {
      LoadWorker worker = new LoadWorker(target, load, console);
      for (@Nullable String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = line.split(" ", -1);
        console.out().println(worker.run(words[0], Integer.parseInt(words[1])));
        console.out().flush();
      }
    }
  }

  private static Target target(String kind, List<String> endpoints) {
    return switch (kind) {
      case "silkkv" -> new SilkTarget(endpoints, CALL_LIMIT);
      case "etcd" -> new EtcdTarget(endpoints, CALL_LIMIT);
      default ->
          throw new OpsException(
              ExitCode.BAD_INPUT, "'" + kind + "' is unknown: choices are silkkv and etcd");
    };
  }

  private String run(String op, int seconds) throws InterruptedException {
    if (op.equals("fill")) {
      return fill();
    }
    boolean put = op.equals("put");
    ClosedLoop loop =
        new ClosedLoop(
            load.inFlight(),
            nextNumber,
            number ->
                put ? target.put(scattered(number), value(number)) : checkedGet(scattered(number)),
            console.nanoClock());
    long began = console.nanoClock().getAsLong();
    loop.start();
    // Nobody counts it down: this is a pause that an interrupt ends.
    boolean unused = new CountDownLatch(1).await(seconds, TimeUnit.SECONDS);
    if (!loop.stop(CALL_LIMIT.plusSeconds(5))) {
      throw new OpsException(
          ExitCode.UNAVAILABLE, "calls were still without answer after " + CALL_LIMIT);
    }
    double elapsed = (console.nanoClock().getAsLong() - began) / 1e9;
    nextNumber = loop.nextNumber();
    ClosedLoop.Interval result = loop.interval();
    JsonObject json = new JsonObject();
    json.addProperty("op", op);
    json.addProperty("calls", result.micros().getTotalCount());
    json.addProperty("errors", result.errors());
    json.addProperty("seconds", elapsed);
    json.addProperty("first_error", String.valueOf(loop.firstError()));
    json.addProperty("p99_millis", result.micros().getValueAtPercentile(99) / 1e3);
    json.addProperty("histogram", encode(result.micros()));
    return new Gson().toJson(json);
  }

  /** Puts every key once, so that each get finds a value. */
  private String fill() {
    List<CompletableFuture<?>> window = new ArrayList<>();
    for (int i = 0; i < load.keys(); i++) {
      window.add(target.put(key(i), value(i)));
      if (window.size() == load.inFlight() || i == load.keys() - 1) {
        CompletableFuture.allOf(window.toArray(CompletableFuture[]::new)).join();
        window.clear();
      }
    }
    JsonObject json = new JsonObject();
    json.addProperty("op", "fill");
    json.addProperty("calls", load.keys());
    json.addProperty("errors", 0);
    json.addProperty("seconds", 0);
    json.addProperty("first_error", "null");
    json.addProperty("histogram", encode(new Histogram(3)));
    return new Gson().toJson(json);
  }

  /** A get that does not find the whole value is an error. */
  private CompletableFuture<Integer> checkedGet(byte[] key) {
    return target
        .get(key)
        .thenApply(
            length -> {
              if (length != load.valueBytes()) {
                throw new IllegalStateException(
                    "read " + length + " bytes, not " + load.valueBytes());
              }
              return length;
            });
  }

  private static String encode(Histogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
  }

  /** Visits the keys in a scattered order, the same one on both sides. */
  private byte[] scattered(long number) {
    return key(Math.floorMod((number * 0x9E3779B97F4A7C15L) >>> 17, load.keys()));
  }

  private static byte[] key(int index) {
    return String.format(Locale.ROOT, "bench/%08d", index).getBytes(StandardCharsets.UTF_8);
  }

  /** Values differ, so that nobody can save work by their being equal. */
  private byte[] value(long number) {
    byte[] copy = value.clone();
    if (copy.length >= Long.BYTES) {
      ByteBuffer.wrap(copy).putLong(number);
    }
    return copy;
  }
}
