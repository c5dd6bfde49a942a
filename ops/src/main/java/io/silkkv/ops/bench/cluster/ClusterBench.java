package io.silkkv.ops.bench.cluster;

import io.silkkv.ops.base.Console;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import io.silkkv.ops.bench.cluster.ClusterLoad.ClusterOp;
import io.silkkv.ops.bench.load.figures.LoadResult;
import io.silkkv.ops.bench.load.figures.Measurement;
import io.silkkv.ops.bench.load.figures.ProcessFigures;
import io.silkkv.ops.bench.load.figures.StorageFigures;
import io.silkkv.ops.bench.report.RunProgress;
import io.silkkv.ops.local.FreePorts;
import io.silkkv.ops.local.Launcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The same load against several systems, three server processes each, in one run on one machine.
 * All of them are up all the time and warm; only one is under load at a time, and they take turns,
 * so that all meet the same moods of the machine. For one thread, but {@link #close}.
 */
public final class ClusterBench implements AutoCloseable {
  /** All systems there are; a new one is added here and in the two methods that make its parts. */
  public static final List<String> SYSTEMS = List.of("silkkv", "etcd", "rheakv");

  /** Fewer rounds tell nothing about the range. */
  static final int ROUNDS_TO_QUOTE = 3;

  private static final int FIRST_PORT = 7600;
  private static final int PORTS_PER_SYSTEM = 100;
  private static final int PORTS_USED = 30;

  private final Console console;
  private final Plan plan;
  private final RunProgress progress;
  private final List<Contestant> contestants = new ArrayList<>();

  /** What is open and must not outlive this process. Guarded by itself. */
  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  /**
   * What is to be measured.
   *
   * @param systems names out of {@link #SYSTEMS}
   * @param ops each is measured on its own, one after the other
   * @param seconds of load per system, operation and round
   * @param warmUpSeconds of the same load before, per system and operation
   */
  public record Plan(
      List<String> systems,
      List<ClusterOp> ops,
      ClusterLoad load,
      Fault fault,
      double seconds,
      double warmUpSeconds,
      int rounds) {
    public Plan {
      systems = List.copyOf(systems);
      ops = List.copyOf(ops);
    }
  }

  /**
   * What was measured.
   *
   * @param faults one per round with a fault, in the order of the measurements
   */
  public record Outcome(List<Measurement> measurements, List<FaultOutcome> faults) {
    public Outcome {
      measurements = List.copyOf(measurements);
      faults = List.copyOf(faults);
    }
  }

  /** What a fault did in one round. */
  public record FaultOutcome(String system, String workload, FaultFigures figures) {}

  /** One system measured once. */
  private record Round(Measurement measurement, @Nullable FaultFigures fault) {}

  /** A system with its load generator. */
  private record Contestant(ClusterSystem system, WorkerProcess worker) {
    List<Long> pids() {
      List<Long> pids = new ArrayList<>();
      for (int member = 0; member < ClusterSystem.MEMBERS; member++) {
        pids.add(system.pid(member));
      }
      return pids;
    }
  }

  public ClusterBench(Console console, Plan plan, RunProgress progress) {
    this.console = console;
    this.plan = plan;
    this.progress = progress;
  }

  /** The exception for a name that is not in {@link #SYSTEMS}. */
  public static OpsException unknownSystem(String name) {
    return new OpsException(
        ExitCode.BAD_INPUT,
        "'" + name + "' is not a system: choose from " + String.join(", ", SYSTEMS));
  }

  /**
   * Starts everything, and measures.
   *
   * @param root an empty or new directory for all data and logs
   * @param finished is told after each round of each system what there is so far
   */
  public Outcome run(Launcher launcher, Path root, Consumer<Outcome> finished)
      throws IOException, InterruptedException {
    Files.createDirectories(root);
    List<ClusterSystem> systems = new ArrayList<>();
    int port = FIRST_PORT;
    for (String name : plan.systems()) {
      port = FreePorts.from(port, PORTS_USED);
      systems.add(opened(system(name, root.resolve(name), port, launcher)));
      port += PORTS_PER_SYSTEM;
    }
    for (ClusterSystem system : systems) {
      progress.note("starting " + system.name() + ": " + ClusterSystem.MEMBERS + " processes");
      system.start();
      WorkerProcess worker =
          opened(
              new WorkerProcess(
                  launcher, system, root.resolve(system.name() + "-load.log"), plan.load()));
      contestants.add(new Contestant(system, worker));
    }
    for (Contestant contestant : contestants) {
      progress.note("putting " + plan.load().keys() + " keys into " + contestant.system().name());
      contestant.worker().fill();
      warmUp(contestant);
    }
    return rounds(finished);
  }

  private ClusterSystem system(String name, Path root, int port, Launcher launcher)
      throws IOException {
    List<String> splitAt = plan.load().splitAt();
    return switch (name) {
      case "silkkv" -> new SilkSystem(root, port, splitAt, launcher, console.nanoClock());
      case "etcd" ->
          new EtcdSystem(
              EtcdSystem.binary(console.environment().getOrDefault("PATH", "")),
              root,
              port,
              console.nanoClock());
      case "rheakv" -> new RheaSystem(root, port, splitAt, launcher, console.nanoClock());
      default -> throw unknownSystem(name);
    };
  }

  private <T extends AutoCloseable> T opened(T resource) {
    synchronized (open) {
      open.push(resource);
    }
    return resource;
  }

  private void warmUp(Contestant contestant) throws IOException {
    for (ClusterOp op : plan.ops()) {
      if (plan.warmUpSeconds() > 0) {
        drive(contestant, op, "warm-up", plan.warmUpSeconds(), Fault.NONE);
      }
    }
  }

  private Outcome rounds(Consumer<Outcome> finished) throws IOException, InterruptedException {
    List<Measurement> measurements = new ArrayList<>();
    List<FaultOutcome> faults = new ArrayList<>();
    for (ClusterOp op : plan.ops()) {
      for (int round = 1; round <= plan.rounds(); round++) {
        for (Contestant contestant : contestants) {
          Round measured = measure(contestant, op, round);
          measurements.add(measured.measurement());
          @Nullable FaultFigures fault = measured.fault();
          if (fault != null) {
            faults.add(
                new FaultOutcome(
                    contestant.system().name(), measured.measurement().workload(), fault));
          }
          finished.accept(new Outcome(measurements, faults));
          if (fault != null) {
            heal(contestant, fault.member());
          }
        }
      }
    }
    return new Outcome(measurements, faults);
  }

  /** A member that was killed comes back, and gets warm again. */
  private void heal(Contestant contestant, int member) throws IOException, InterruptedException {
    if (plan.fault() == Fault.KILL_LEADER) {
      progress.note("starting member " + member + " of " + contestant.system().name() + " again");
      contestant.system().restart(member);
      warmUp(contestant);
    }
  }

  private RoundAnswer drive(
      Contestant contestant, ClusterOp op, String what, double seconds, Fault fault)
      throws IOException {
    progress.begin(
        contestant.system().name() + " " + op.optionName() + " " + what,
        seconds,
        plan.load().isOpen());
    RoundAnswer answer;
    try {
      answer = contestant.worker().run(op, seconds, fault, contestant.pids(), progress);
    } finally {
      progress.end();
    }
    LoadResult load = answer.load();
    if (load.operations().stream().noneMatch(kind -> kind.opsPerSecond() > 0)) {
      throw new OpsException(
          ExitCode.UNAVAILABLE,
          contestant.system().name()
              + " answered nothing in its "
              + what
              + ": "
              + String.join("; ", load.firstErrors()));
    }
    return answer;
  }

  private Round measure(Contestant contestant, ClusterOp op, int round) throws IOException {
    ServerFigures before = ServerFigures.read(contestant.pids());
    IoSeries io = new IoSeries(contestant.system());
    RoundAnswer answer;
    SortedMap<String, List<Double>> ioBytes;
    try {
      answer = drive(contestant, op, "round " + round, plan.seconds(), plan.fault());
    } finally {
      ioBytes = io.end();
    }
    ServerFigures used = ServerFigures.read(contestant.pids()).since(before);
    SortedMap<String, String> options = new TreeMap<>(contestant.system().facts());
    options.putAll(answer.facts());
    options.put("keys", String.valueOf(plan.load().keys()));
    options.put("warm_up_seconds", String.valueOf(plan.warmUpSeconds()));
    return new Round(
        new Measurement(
            contestant.system().name(),
            plan.load().workload(op, plan.fault()),
            round,
            quotable(answer.load()),
            new ProcessFigures(used.cpuSeconds(), used.peakRssBytes(), -1, -1),
            StorageFigures.UNKNOWN,
            options,
            ioBytes),
        answer.fault());
  }

  /** Marks what too few rounds found. */
  private LoadResult quotable(LoadResult load) {
    if (plan.rounds() >= ROUNDS_TO_QUOTE) {
      return load;
    }
    List<String> reasons = new ArrayList<>(load.invalidBecause());
    reasons.add("fewer than " + ROUNDS_TO_QUOTE + " rounds");
    return new LoadResult(
        load.mode(),
        load.seconds(),
        load.operations(),
        load.perSecond(),
        load.generator(),
        load.oracle(),
        reasons,
        load.firstErrors());
  }

  /** Ends all processes that were started; idempotent, and allowed from any thread. */
  @Override
  public void close() {
    List<AutoCloseable> closing;
    synchronized (open) {
      closing = List.copyOf(open);
      open.clear();
    }
    for (AutoCloseable resource : closing) {
      try {
        resource.close();
      } catch (Exception e) {
        console.err().println("silkkv: " + resource + " could not be closed: " + e);
      }
    }
  }
}
