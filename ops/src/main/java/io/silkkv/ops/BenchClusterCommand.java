package io.silkkv.ops;

import io.silkkv.ops.base.Console;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import io.silkkv.ops.bench.cluster.ClusterBench;
import io.silkkv.ops.bench.cluster.ClusterLoad;
import io.silkkv.ops.bench.cluster.ClusterLoad.ClusterOp;
import io.silkkv.ops.bench.cluster.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** SilkKV beside its peers. */
@Command(
    name = "cluster",
    description = {
      "Starts three processes each of SilkKV and its peers on this machine, and puts all of them"
          + " under the same load in turns.",
      "With --rate the loop is open: calls are sent when a schedule says, and latency counts from"
          + " then. Without, it is closed: --inflight calls are always under way.",
    },
    mixinStandardHelpOptions = true)
final class BenchClusterCommand implements Callable<Integer> {
  private static final int CLOSED_IN_FLIGHT = 64;
  private static final int MOST_IN_FLIGHT = 2048;
  private static final int MOST_VALUE_BYTES = 1 << 20;
  private static final int MOST_KEYS = 10_000_000;
  private static final int MOST_SHARDS = 16;
  private static final int MOST_SCAN_LENGTH = 10_000;
  private static final int MOST_ROUNDS = 100;
  private static final double MOST_SECONDS = 3600;

  private final Console console;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--systems",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "silkkv",
      description = "Out of silkkv, etcd, rheakv (default ${DEFAULT-VALUE}).")
  private List<String> systems = List.of();

  @Option(
      names = "--op",
      paramLabel = "OP",
      split = ",",
      defaultValue = "put",
      description =
          "put, get, mixed (half puts, half gets) or scan; several are measured one after the other"
              + " (default ${DEFAULT-VALUE}).")
  private List<String> ops = List.of();

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      description = "open or closed; follows from --rate when it is left out.")
  private @Nullable String mode;

  @Option(names = "--rate", paramLabel = "N", description = "Calls per second of an open loop.")
  private @Nullable Double rate;

  @Option(
      names = "--inflight",
      paramLabel = "N",
      description =
          "Calls under way in a closed loop (default 64); most of them in an open one (default"
              + " 2048: calls that hang must not keep others back).")
  private @Nullable Integer inFlight;

  @Option(
      names = "--value",
      paramLabel = "BYTES",
      defaultValue = "1024",
      description = "Size of a value (default ${DEFAULT-VALUE}).")
  private int valueBytes;

  @Option(
      names = "--keys",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Different keys; all are put before anything else (default ${DEFAULT-VALUE}).")
  private int keys;

  @Option(
      names = "--scan-length",
      paramLabel = "N",
      defaultValue = "100",
      description = "Entries of a scan (default ${DEFAULT-VALUE}).")
  private int scanLength;

  @Option(
      names = "--shards",
      paramLabel = "N",
      defaultValue = "1",
      description = "Shards; etcd always has one (default ${DEFAULT-VALUE}).")
  private int shards;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "10",
      description = "Load per system, operation and round (default ${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--warm-up-seconds",
      paramLabel = "S",
      defaultValue = "45",
      description =
          "The same load before, per system and operation; a JVM needs it (default"
              + " ${DEFAULT-VALUE}).")
  private double warmUpSeconds;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "Turns of each system; figures of fewer than three are marked (default"
              + " ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--fault",
      paramLabel = "FAULT",
      defaultValue = "none",
      description =
          "none, kill-leader or pause-follower: what happens after a third of each round (default"
              + " ${DEFAULT-VALUE}).")
  private String fault = "";

  @Option(names = "--json", paramLabel = "FILE", description = "Write all figures there.")
  private @Nullable Path json;

  @Option(names = "--html", paramLabel = "FILE", description = "Write a page to look at there.")
  private @Nullable Path html;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Keep data and logs there (default: a temporary directory, deleted).")
  private @Nullable Path dir;

  BenchClusterCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    ClusterBench.Plan plan = plan();
    String command =
        "silkkv "
            + String.join(
                " ",
                Objects.requireNonNull(spec).root().commandLine().getParseResult().originalArgs());
    return new BenchClusterRun(console, command, plan, json, html, dir).run();
  }

  private ClusterBench.Plan plan() {
    for (String system : systems) {
      if (!ClusterBench.SYSTEMS.contains(system)) {
        throw ClusterBench.unknownSystem(system);
      }
    }
    if (Set.copyOf(systems).size() < systems.size()) {
      throw bad("--systems names one twice: " + String.join(",", systems));
    }
    double openRate = openRate();
    int calls = inFlight != null ? inFlight : openRate > 0 ? MOST_IN_FLIGHT : CLOSED_IN_FLIGHT;
    within("--inflight", calls, 1, MOST_IN_FLIGHT);
    within("--value", valueBytes, 0, MOST_VALUE_BYTES);
    within("--keys", keys, 1, MOST_KEYS);
    within("--scan-length", scanLength, 1, MOST_SCAN_LENGTH);
    within("--shards", shards, 1, MOST_SHARDS);
    within("--seconds", seconds, 1, MOST_SECONDS);
    within("--warm-up-seconds", warmUpSeconds, 0, MOST_SECONDS);
    within("--rounds", rounds, 1, MOST_ROUNDS);
    if (dir != null && Files.exists(dir)) {
      throw bad("--dir " + dir + " exists; name a new directory, because all systems start empty");
    }
    try {
      Fault happens = Fault.ofOptionName(fault);
      if (happens != Fault.NONE && seconds < 6) {
        throw bad("--fault " + fault + " needs rounds of at least 6 --seconds to see its effect");
      }
      return new ClusterBench.Plan(
          systems,
          ops.stream().map(ClusterOp::ofOptionName).toList(),
          new ClusterLoad(calls, valueBytes, keys, scanLength, shards, openRate),
          happens,
          seconds,
          warmUpSeconds,
          rounds);
    } catch (IllegalArgumentException e) {
      throw bad(String.valueOf(e.getMessage()));
    }
  }

  /** The rate of an open loop; 0 for a closed one. */
  private double openRate() {
    if (mode != null && !mode.equals("open") && !mode.equals("closed")) {
      throw bad("--mode is '" + mode + "': choose from open and closed");
    }
    if ("open".equals(mode) && rate == null) {
      throw bad(
          "--mode open needs --rate: how many calls per second are sent, whatever the system does;"
              + " --mode closed finds the highest rate");
    }
    if ("closed".equals(mode) && rate != null) {
      throw bad("--mode closed has no --rate: it sends as fast as it is answered");
    }
    if (rate == null) {
      return 0;
    }
    within("--rate", rate, 1, 10_000_000);
    return rate;
  }

  private static void within(String option, double value, double least, double most) {
    if (!(value >= least && value <= most)) {
      throw bad(
          String.format(
              Locale.ROOT,
              "%s is %s, but must be %,.0f to %,.0f",
              option,
              value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value),
              least,
              most));
    }
  }

  private static OpsException bad(String message) {
    return new OpsException(ExitCode.BAD_INPUT, message);
  }
}
