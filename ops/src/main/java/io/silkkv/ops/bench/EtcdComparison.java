package io.silkkv.ops.bench;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import io.silkkv.ops.base.Console;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import io.silkkv.ops.local.ClusterWish;
import io.silkkv.ops.local.FreePorts;
import io.silkkv.ops.local.Launcher;
import io.silkkv.ops.local.LocalCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * The same load against three processes of SilkKV and of etcd, in one run on one machine. Both
 * clusters are up all the time; only one is under load at a time, and the two take turns, so that
 * both meet the same moods of the machine.
 */
public final class EtcdComparison {
  private static final int ROUNDS = 4;
  private static final int FIRST_PORT = 7600;
  private static final Duration START_LIMIT = Duration.ofMinutes(2);

  private final Console console;
  private final LoadWorker.Load load;
  private final int seconds;
  private final int warmUpSeconds;

  /** What the rounds of one side and operation found together. */
  private static final class Sum {
    private long calls;
    private long errors;
    private double seconds;
    private final Histogram micros = new Histogram(3);

    void add(LoadWorkerProcess.Round round) {
      calls += round.calls();
      errors += round.errors();
      seconds += round.seconds();
      micros.add(round.micros());
    }

    double rate() {
      return calls / Math.max(1e-9, seconds);
    }

    double millis(double percentile) {
      return micros.getValueAtPercentile(percentile) / 1000.0;
    }

    JsonObject toJson() {
      JsonObject json = new JsonObject();
      json.addProperty("calls", calls);
      json.addProperty("errors", errors);
      json.addProperty("per_second", Math.round(rate()));
      json.addProperty("p50_millis", millis(50));
      json.addProperty("p99_millis", millis(99));
      json.addProperty("p999_millis", millis(99.9));
      json.addProperty("max_millis", micros.getMaxValue() / 1000.0);
      return json;
    }
  }

  /**
   * @param seconds of load per side and operation
   */
  public EtcdComparison(Console console, LoadWorker.Load load, int seconds, int warmUpSeconds) {
    this.console = console;
    this.load = load;
    this.seconds = seconds;
    this.warmUpSeconds = warmUpSeconds;
  }

  /** Runs everything and returns the result as JSON. */
  public String run(Launcher launcher, Path root) throws IOException, InterruptedException {
    Path etcdBinary = EtcdCluster.binary(console.environment().getOrDefault("PATH", ""));
    int silkPort = FreePorts.from(FIRST_PORT, 30);
    int etcdPort = FreePorts.from(silkPort + 100, 30);
    Files.createDirectories(root);
    try (EtcdCluster etcd = new EtcdCluster(root.resolve("etcd"), etcdPort, console.nanoClock());
        LocalCluster silk =
            LocalCluster.open(
                root.resolve("silkkv"),
                ClusterWish.exactly(3, silkPort, 1),
                launcher,
                console.nanoClock())) {
      say("starting etcd (%s) and SilkKV, three processes each", etcdBinary);
      etcd.start(etcdBinary);
      silk.start(List.of(), START_LIMIT);
      try (LoadWorkerProcess silkWorker =
              new LoadWorkerProcess(launcher, "silkkv", silk.spec().endpoints(), load);
          LoadWorkerProcess etcdWorker =
              new LoadWorkerProcess(launcher, "etcd", etcd.endpoints(), load)) {
        JsonObject result = config(etcdBinary);
        warmUp(List.of(silkWorker, etcdWorker));
        result.add("put", compare("put", silkWorker, etcdWorker));
        result.add("get", compare("get", silkWorker, etcdWorker));
        return new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create().toJson(result);
      }
    }
  }

  private JsonObject config(Path etcdBinary) throws IOException, InterruptedException {
    JsonObject config = new JsonObject();
    config.addProperty("in_flight", load.inFlight());
    config.addProperty("value_bytes", load.valueBytes());
    config.addProperty("keys", load.keys());
    config.addProperty("seconds", seconds);
    config.addProperty("warm_up_seconds", warmUpSeconds);
    config.addProperty("processors", Runtime.getRuntime().availableProcessors());
    config.addProperty("java", System.getProperty("java.version"));
    Process version = new ProcessBuilder(etcdBinary.toString(), "--version").start();
    String text = new String(version.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    version.waitFor();
    config.addProperty("etcd", text.lines().findFirst().orElse("unknown"));
    JsonObject root = new JsonObject();
    root.add("config", config);
    return root;
  }

  private void warmUp(List<LoadWorkerProcess> workers) throws IOException {
    for (LoadWorkerProcess worker : workers) {
      say("putting %,d keys", load.keys());
      worker.run("fill", 0);
      for (String op : List.of("put", "get")) {
        say("warming up with %s, %d s", op, warmUpSeconds);
        LoadWorkerProcess.Round round = worker.run(op, warmUpSeconds);
        if (round.calls() == 0) {
          throw new OpsException(
              ExitCode.UNAVAILABLE, "no call succeeded in the warm-up: " + round.firstError());
        }
      }
    }
  }

  private JsonObject compare(String op, LoadWorkerProcess silkWorker, LoadWorkerProcess etcdWorker)
      throws IOException {
    Sum silk = new Sum();
    Sum etcd = new Sum();
    int roundSeconds = Math.max(1, seconds / ROUNDS);
    for (int round = 0; round < ROUNDS; round++) {
      boolean silkFirst = round % 2 == 0;
      for (boolean silksTurn : List.of(silkFirst, !silkFirst)) {
        LoadWorkerProcess.Round result =
            (silksTurn ? silkWorker : etcdWorker).run(op, roundSeconds);
        (silksTurn ? silk : etcd).add(result);
        say(
            "%s round %d  %-6s  %,8.0f/s  p99 %.1f ms%s",
            op,
            round + 1,
            silksTurn ? "silkkv" : "etcd",
            result.calls() / result.seconds(),
            result.micros().getValueAtPercentile(99) / 1000.0,
            result.errors() == 0 ? "" : "  errors " + result.errors() + ": " + result.firstError());
      }
    }
    JsonObject json = new JsonObject();
    json.add("silkkv", silk.toJson());
    json.add("etcd", etcd.toJson());
    json.addProperty("rate_ratio", round2(silk.rate() / etcd.rate()));
    json.addProperty("p50_ratio", round2(silk.millis(50) / etcd.millis(50)));
    json.addProperty("p99_ratio", round2(silk.millis(99) / etcd.millis(99)));
    json.addProperty("p999_ratio", round2(silk.millis(99.9) / etcd.millis(99.9)));
    return json;
  }

  private static double round2(double value) {
    return Math.round(value * 100) / 100.0;
  }

  private void say(String format, Object... arguments) {
    console.err().println(String.format(Locale.ROOT, format, arguments));
  }
}
