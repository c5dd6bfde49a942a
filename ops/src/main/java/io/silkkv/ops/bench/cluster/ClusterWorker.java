package io.silkkv.ops.bench.cluster;

import io.silkkv.ops.base.Console;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import io.silkkv.ops.bench.cluster.ClusterLoad.ClusterOp;
import io.silkkv.ops.bench.load.AsyncLoadTarget;
import io.silkkv.ops.bench.load.ClosedLoop;
import io.silkkv.ops.bench.load.Driver;
import io.silkkv.ops.bench.load.LoadLimits;
import io.silkkv.ops.bench.load.OpenLoop;
import io.silkkv.ops.bench.load.ParkingPacer;
import io.silkkv.ops.bench.load.Progress;
import io.silkkv.ops.bench.load.Schedule;
import io.silkkv.ops.bench.load.data.OperationSource;
import io.silkkv.ops.bench.load.data.Oracle;
import io.silkkv.ops.bench.load.data.Values;
import io.silkkv.ops.bench.load.figures.LoadResult;
import io.silkkv.ops.bench.load.figures.OpFigures;
import io.silkkv.ops.bench.report.FiguresJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The load generator of one system, in a process of its own that stays warm between rounds. It
 * reads commands, one per line, and answers with lines that start with a word:
 *
 * <pre>
 * command  := "fill" | "run" op seconds fault pid "," pid "," pid
 * answer   := ("progress" {@link Progress})* ("filled" | "round" {@link RoundAnswer})
 * </pre>
 *
 * (records as JSON). The end of the input ends the worker. {@link WorkerProcess} is the other end.
 * Its oracle lives as long as it does, so that a read is checked against the writes of all rounds.
 */
public final class ClusterWorker {
  static final String FILLED = "filled";
  static final String PROGRESS = "progress ";
  static final String ROUND = "round ";

  /** The same for every system: that of SilkKV's and RheaKV's clients by default. */
  private static final Duration CALL_LIMIT = Duration.ofSeconds(5);

  /** How long a cluster that has just started may take until it has a leader. */
  private static final Duration FIRST_LEADER_LIMIT = Duration.ofSeconds(30);

  private static final long VALUE_SEED = 7;
  private static final double INCOMPRESSIBLE = 1;

  /** The oracle keeps a few hundred bytes for each key that it samples. */
  private static final int MOST_SAMPLED_KEYS = 100_000;

  private final ClusterTarget target;
  private final List<String> endpoints;
  private final ClusterLoad load;
  private final Console console;
  private final Oracle oracle;
  private long nextOperation;

  private ClusterWorker(
      ClusterTarget target, List<String> endpoints, ClusterLoad load, Console console) {
    this.target = target;
    this.endpoints = endpoints;
    this.load = load;
    this.console = console;
    this.oracle =
        new Oracle(
            ClusterLoad.keyFormat(),
            new Values(VALUE_SEED, INCOMPRESSIBLE),
            1 + load.keys() / MOST_SAMPLED_KEYS);
  }

  /**
   * Serves commands until the input ends.
   *
   * @param system one of {@link ClusterBench#SYSTEMS}
   */
  public static void serve(
      String system,
      List<String> endpoints,
      ClusterLoad load,
      InputStream commands,
      Console console)
      throws IOException, InterruptedException {
    try (ClusterTarget target = target(system, endpoints, load, console);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(commands, StandardCharsets.UTF_8))) {
      ClusterWorker worker = new ClusterWorker(target, endpoints, load, console);
      for (@Nullable String line = lines.readLine(); line != null; line = lines.readLine()) {
        worker.obey(line.split(" ", -1));
      }
    }
  }

  private static ClusterTarget target(
      String system, List<String> endpoints, ClusterLoad load, Console console)
      throws InterruptedException {
    return switch (system) {
      case "silkkv" -> new SilkTarget(endpoints, CALL_LIMIT, load.inFlight(), console.nanoClock());
      case "etcd" -> new EtcdTarget(endpoints, CALL_LIMIT, console.nanoClock());
      case "rheakv" -> new RheaTarget(endpoints, load.splitAt(), CALL_LIMIT, load.inFlight());
      default -> throw ClusterBench.unknownSystem(system);
    };
  }

  private void obey(String[] words) throws IOException, InterruptedException {
    switch (words[0]) {
      case "fill" -> {
        fill();
        say(FILLED);
      }
      case "run" -> {
        List<Long> pids = Stream.of(words[4].split(",", -1)).map(Long::valueOf).toList();
        ClusterOp op = ClusterOp.ofOptionName(words[1]);
        Fault fault = Fault.ofOptionName(words[3]);
        say(ROUND + FiguresJson.line(run(op, Double.parseDouble(words[2]), fault, pids)));
      }
      default -> throw new IllegalArgumentException("no command '" + words[0] + "'");
    }
  }

  private void say(String line) {
    console.out().println(line);
    console.out().flush();
  }

  /** Puts every key once, so that each get finds a value. */
  private void fill() throws InterruptedException {
    awaitLeader();
    LoadResult filled =
        new ClosedLoop(console.nanoClock(), LoadLimits.DEFAULT)
            .run(
                Double.POSITIVE_INFINITY,
                load.keys(),
                load.fill(),
                Driver.async(target, load.inFlight()),
                oracle,
                Progress.Listener.none());
    if (!filled.firstErrors().isEmpty()) {
      throw new OpsException(
          ExitCode.UNAVAILABLE, "not every key could be put: " + filled.firstErrors().get(0));
    }
    oracle.alwaysPresent(load.keys());
  }

  private void awaitLeader() throws InterruptedException {
    long deadline = console.nanoClock().getAsLong() + FIRST_LEADER_LIMIT.toNanos();
    boolean led = false;
    while (!led) {
      try {
        target.leader();
        led = true;
      } catch (OpsException e) {
        if (console.nanoClock().getAsLong() > deadline) {
          throw e;
        }
      }
    }
  }

  private RoundAnswer run(ClusterOp op, double seconds, Fault fault, List<Long> pids)
      throws IOException, InterruptedException {
    if (fault == Fault.NONE) {
      return new RoundAnswer(drive(op, seconds, target), null, target.facts());
    }
    Availability availability = new Availability(console.nanoClock(), seconds);
    try (FaultInjector injector =
        new FaultInjector(fault, endpoints, pids, target, seconds, console.nanoClock())) {
      LoadResult result = drive(op, seconds, new WatchedTarget(target, availability));
      return new RoundAnswer(result, injector.figures(availability), target.facts());
    }
  }

  private LoadResult drive(ClusterOp op, double seconds, AsyncLoadTarget driven)
      throws InterruptedException {
    OperationSource source = load.operations(op).startingAt(nextOperation);
    Driver driver = Driver.async(driven, load.inFlight());
    Progress.Listener listener = progress -> say(PROGRESS + FiguresJson.line(progress));
    LoadResult result =
        load.isOpen()
            ? new OpenLoop(
                    console.nanoClock(), new ParkingPacer(console.nanoClock()), LoadLimits.DEFAULT)
                .run(Schedule.constant(seconds, load.rate()), source, driver, oracle, listener)
            : new ClosedLoop(console.nanoClock(), LoadLimits.DEFAULT)
                .run(seconds, Long.MAX_VALUE, source, driver, oracle, listener);
    for (OpFigures figures : result.operations()) {
      nextOperation += figures.count();
    }
    return result;
  }
}
