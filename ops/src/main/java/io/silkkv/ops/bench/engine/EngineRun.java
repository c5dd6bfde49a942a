package io.silkkv.ops.bench.engine;

import io.silkkv.ops.base.ByteSize;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import io.silkkv.ops.bench.load.ClosedLoop;
import io.silkkv.ops.bench.load.Driver;
import io.silkkv.ops.bench.load.LoadLimits;
import io.silkkv.ops.bench.load.OpenLoop;
import io.silkkv.ops.bench.load.ParkingPacer;
import io.silkkv.ops.bench.load.Phase;
import io.silkkv.ops.bench.load.ProcessWatch;
import io.silkkv.ops.bench.load.Progress;
import io.silkkv.ops.bench.load.Schedule;
import io.silkkv.ops.bench.load.data.OperationSource;
import io.silkkv.ops.bench.load.data.Oracle;
import io.silkkv.ops.bench.load.data.Values;
import io.silkkv.ops.bench.load.figures.LoadResult;
import io.silkkv.ops.bench.load.figures.Measurement;
import io.silkkv.ops.bench.load.figures.OpFigures;
import io.silkkv.ops.bench.load.figures.ProcessFigures;
import io.silkkv.ops.bench.load.figures.StorageFigures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One system under one workload, from the empty directory to the figures: pre-fill, settle,
 * warm-up, settle, measure, drain. For one thread.
 */
final class EngineRun {
  private static final double NANOS = 1e9;
  private static final long POLL_MILLIS = 20;

  /** Looks in a row without work that count as settled: between two jobs there is a moment. */
  private static final int QUIET_LOOKS = 5;

  private static final int ORACLE_SAMPLE = 64;

  private final WorkerTask task;
  private final RunPlan plan;
  private final Workload workload;
  private final MeasuredEngine engine;
  private final Consumer<WorkerMessage> parent;
  private final LongSupplier nanoClock;
  private final long initialKeys;
  private final Oracle oracle;
  private final CountingTarget target;
  private final SortedMap<String, String> notes = new TreeMap<>();

  /** Where the run waits for the parent, and asks for the probe. */
  @FunctionalInterface
  interface Gate {
    void pass() throws IOException, InterruptedException;
  }

  EngineRun(
      WorkerTask task,
      MeasuredEngine engine,
      Consumer<WorkerMessage> parent,
      LongSupplier nanoClock) {
    this.task = task;
    this.plan = task.plan();
    this.workload = Workloads.create(task.workload());
    this.engine = engine;
    this.parent = parent;
    this.nanoClock = nanoClock;
    this.initialKeys = workload.keysIn(plan.prefillBytes(), plan.seed());
    this.oracle =
        new Oracle(
            workload.keyFormat(), new Values(plan.seed(), plan.compressedShare()), ORACLE_SAMPLE);
    this.target = new CountingTarget(engine);
  }

  /**
   * Runs it all.
   *
   * @param gate passed between the warm-up and the measured phase
   */
  Measurement run(Gate gate) throws Exception {
    fill();
    settle("before the warm-up");
    long warmed = warmUp();
    settle("before the measured phase");
    engine.beforeMeasuring();
    gate.pass();
    return measure(warmed);
  }

  private void fill() throws InterruptedException {
    if (initialKeys == 0) {
      return;
    }
    say("pre-fill: %,d keys, %s", initialKeys, ByteSize.text(plan.prefillBytes()));
    LoadResult result =
        new ClosedLoop(nanoClock, LoadLimits.DEFAULT)
            .run(
                Double.POSITIVE_INFINITY,
                initialKeys,
                OperationSource.fill(plan.seed(), workload.sizes()),
                driver(),
                oracle,
                Progress.Listener.none());
    check(result, "the pre-fill");
    oracle.alwaysPresent(initialKeys);
    say("pre-fill took %.1f s", result.seconds());
  }

  /** Latencies of a pre-fill or warm-up do not count, errors do. */
  private static void check(LoadResult result, String phase) {
    long errors = result.operations().stream().mapToLong(OpFigures::errors).sum();
    if (errors > 0) {
      throw new OpsException(
          ExitCode.FAULT,
          errors + " operations of " + phase + " failed, first: " + result.firstErrors());
    }
  }

  /** Returns how many operations were sent. */
  private long warmUp() throws InterruptedException {
    if (plan.warmUpSeconds() <= 0) {
      return 0;
    }
    say("warm-up: %.0f s", plan.warmUpSeconds());
    List<Phase> peak = List.of(new Phase(plan.warmUpSeconds(), workload.peak()));
    Schedule schedule =
        Schedule.of(peak, plan.warmUpSeconds(), Long.MAX_VALUE, plan.arrivals(), plan.seed());
    LoadResult result = load(schedule, plan.warmUpSeconds(), Long.MAX_VALUE, 0, unused -> {});
    check(result, "the warm-up");
    if (!plan.closed()) {
      return schedule.count();
    }
    return result.operations().stream().mapToLong(OpFigures::count).sum();
  }

  private LoadResult load(
      Schedule schedule, double seconds, long most, long first, Progress.Listener listener)
      throws InterruptedException {
    OperationSource source = workload.source(plan.seed(), initialKeys).startingAt(first);
    return plan.closed()
        ? new ClosedLoop(nanoClock, LoadLimits.DEFAULT)
            .run(seconds, most, source, driver(), oracle, listener)
        : new OpenLoop(nanoClock, new ParkingPacer(nanoClock), LoadLimits.DEFAULT)
            .run(schedule, source, driver(), oracle, listener);
  }

  private Driver driver() {
    return Driver.blocking(target, plan.threads());
  }

  private Measurement measure(long first) throws Exception {
    say("measuring: %.0f s", plan.seconds());
    Schedule schedule =
        Schedule.of(
            workload.phases(), plan.seconds(), plan.operations(), plan.arrivals(), plan.seed());
    MeasuredEngine.Counters before = engine.counters();
    long putBefore = target.putBytes();
    long gotBefore = target.gotBytes();
    IoSeries io = IoSeries.start(engine);
    ProcessWatch watch = ProcessWatch.start();
    LoadResult result =
        load(
            schedule,
            plan.seconds(),
            plan.operations(),
            first,
            progress -> parent.accept(new WorkerMessage.Running(progress)));
    ProcessFigures process = watch.stop();
    SortedMap<String, List<Double>> traffic = io.stop();
    MeasuredEngine.Counters after = engine.counters();
    long debt = engine.debtBytes();
    long fileBytes = bytesOf(Path.of(task.directory()));
    Double drained = drain();
    long put = target.putBytes() - putBefore;
    long got = target.gotBytes() - gotBefore;
    long written = engine.counters().writtenBytes() - before.writtenBytes();
    notes.put(
        "engine_stall_ms",
        Long.toString(TimeUnit.NANOSECONDS.toMillis(after.stallNanos() - before.stallNanos())));
    notes.putAll(engine.effectiveOptions());
    StorageFigures storage =
        new StorageFigures(
            debt,
            drained,
            ratio(written, put),
            ratio(after.clientReadBytes() - before.clientReadBytes(), got),
            ratio(fileBytes, Math.round(liveBytes(first + operationsOf(result)))));
    return new Measurement(
        task.label(), workload.name(), task.round(), result, process, storage, notes, traffic);
  }

  private static @Nullable Double ratio(long above, long below) {
    return below > 0 ? (double) above / below : null;
  }

  private static long operationsOf(LoadResult result) {
    return result.operations().stream().mapToLong(OpFigures::count).sum();
  }

  /** Keys and values that a reader can still find, by the averages of the workload. */
  private double liveBytes(long operations) {
    double keys = (double) initialKeys + operations * workload.recipe().keysPerOperation();
    return keys * workload.entryBytes(plan.seed());
  }

  private void settle(String when) throws Exception {
    say("waiting for the tree to settle %s", when);
    Double seconds = awaitQuiet(plan.settleSeconds());
    if (seconds == null) {
      notes.put("settled_" + when.replace(' ', '_'), "not within the limit");
      say("the tree has not settled within %.0f s", plan.settleSeconds());
    }
  }

  /** Seconds until the engine had nothing left to do; null when it did not get there. */
  private @Nullable Double drain() throws Exception {
    if (engine.debtNeverShrinks()) {
      return null;
    }
    say("waiting for the debt of %s to be worked off", ByteSize.text(engine.debtBytes()));
    Double seconds = awaitQuiet(plan.drainSeconds());
    if (seconds == null) {
      notes.put("drained", String.format(Locale.ROOT, "not within %.0f s", plan.drainSeconds()));
    }
    return seconds;
  }

  private @Nullable Double awaitQuiet(double limitSeconds) throws Exception {
    long began = nanoClock.getAsLong();
    long now = began;
    long quietSince = began;
    int quiet = 0;
    while (quiet < QUIET_LOOKS) {
      if (engine.isSettled()) {
        quietSince = quiet == 0 ? now : quietSince;
        quiet++;
      } else if ((now - began) / NANOS > limitSeconds) {
        return null;
      } else {
        quiet = 0;
      }
      // Nobody counts it down: this is a pause that an interrupt ends.
      boolean unused = new CountDownLatch(1).await(POLL_MILLIS, TimeUnit.MILLISECONDS);
      now = nanoClock.getAsLong();
    }
    return (quietSince - began) / NANOS;
  }

  /** Bytes of all files below a directory; some may vanish meanwhile. */
  static long bytesOf(Path directory) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(directory)) {
      files = all.toList();
    }
    long bytes = 0;
    for (Path file : files) {
      // The size of a file that was deleted since the listing is 0.
      bytes += Files.isRegularFile(file) ? file.toFile().length() : 0;
    }
    return bytes;
  }

  private void say(String format, Object... arguments) {
    parent.accept(new WorkerMessage.Stage(String.format(Locale.ROOT, format, arguments)));
  }
}
