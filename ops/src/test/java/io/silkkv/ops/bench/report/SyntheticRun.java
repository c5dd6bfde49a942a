package io.silkkv.ops.bench.report;

import io.silkkv.ops.bench.load.data.OpKind;
import io.silkkv.ops.bench.load.data.OracleFigures;
import io.silkkv.ops.bench.load.figures.GeneratorFigures;
import io.silkkv.ops.bench.load.figures.LoadResult;
import io.silkkv.ops.bench.load.figures.Measurement;
import io.silkkv.ops.bench.load.figures.OpFigures;
import io.silkkv.ops.bench.load.figures.ProcessFigures;
import io.silkkv.ops.bench.load.figures.SecondFigures;
import io.silkkv.ops.bench.load.figures.StorageFigures;
import io.silkkv.ops.bench.report.MachineFacts.DeviceFacts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Measurements that nobody took but that look like real ones: peaks and valleys, systems that stall
 * in their own ways, a queue that is worked off afterwards. Everything follows from the seed.
 */
final class SyntheticRun {
  static final long SEED = 20_261_130L;
  static final double LIMIT = 200e6;
  private static final double VALUE_BYTES = 1_032;

  private final SplittableRandom random;

  /**
   * How a system behaves.
   *
   * @param baseMicros its p99 when nothing is wrong
   * @param stallEvery seconds between stalls; 0 for none
   * @param stallSeconds how long one lasts
   * @param tells whether it knows where its bytes go
   */
  record Behavior(
      String name, double baseMicros, int stallEvery, int stallSeconds, boolean tells) {}

  static final List<Behavior> ENGINES =
      List.of(
          new Behavior("rocksdb", 2_600, 41, 5, false),
          new Behavior("rocksdb-auto", 2_900, 67, 3, false),
          new Behavior("rocksdb-nocompact", 2_200, 0, 0, false),
          new Behavior("silkkv-none", 2_400, 53, 4, true),
          new Behavior("silkkv-silk", 2_100, 0, 0, true));

  static final List<Behavior> CLUSTERS =
      List.of(
          new Behavior("silkkv", 3_900, 0, 0, true),
          new Behavior("etcd", 9_800, 0, 0, false),
          new Behavior("rheakv", 14_000, 6, 1, false));

  SyntheticRun(long seed) {
    random = new SplittableRandom(seed);
  }

  /** Engines under bursts, one round each. */
  static RunReport burst() {
    SyntheticRun run = new SyntheticRun(SEED);
    List<Measurement> measurements = new ArrayList<>();
    for (Behavior system : ENGINES) {
      measurements.add(run.measure(system, "burst", 1, bursts(180)));
    }
    return Rounds.report(
        "bench engine --systems rocksdb,rocksdb-auto,rocksdb-nocompact,silkkv-none,silkkv-silk"
            + " --workload burst --rate 16000 --device-limit 200MB/s --prefill 2GB --seconds 180"
            + " --json a.json --html a.html",
        "2026-11-30T14:22:00Z",
        machine(new DeviceFacts("ram", "/mnt/bench", LIMIT, 199.4e6, 200.8e6)),
        measurements);
  }

  /** Clusters in three interleaved rounds, the last of which went wrong for one of them. */
  static RunReport cluster() {
    SyntheticRun run = new SyntheticRun(SEED + 1);
    List<Measurement> measurements = new ArrayList<>();
    for (int round = 1; round <= 3; round++) {
      for (Behavior system : CLUSTERS) {
        Measurement one = run.measure(system, "put", round, steady(30, 6_000));
        measurements.add(
            round == 3 && system.name().equals("rheakv")
                ? spoiled(one, "the generator fell behind: its lateness p99 of 4.2 ms is over 1 ms")
                : one);
      }
    }
    return Rounds.report(
        "bench cluster --systems silkkv,etcd,rheakv --op put --inflight 64 --value 1024"
            + " --seconds 30 --rounds 3 --json b.json",
        "2026-11-30T15:10:00Z",
        machine(null),
        measurements);
  }

  static MachineFacts machine(DeviceFacts device) {
    return new MachineFacts(
        2,
        24L << 30,
        "Imaginary CPU 3000",
        "Linux 6.1.0",
        "OpenJDK 64-Bit Server VM 25.0.3",
        device);
  }

  /** Peaks of 50 s and valleys of 10 s. */
  static double[] bursts(int seconds) {
    double[] offered = new double[seconds];
    for (int second = 0; second < seconds; second++) {
      offered[second] = second % 60 < 50 ? 16_000 : 1_000;
    }
    return offered;
  }

  static double[] steady(int seconds, double rate) {
    double[] offered = new double[seconds];
    Arrays.fill(offered, rate);
    return offered;
  }

  static Measurement spoiled(Measurement one, String why) {
    LoadResult load = one.load();
    return new Measurement(
        one.system(),
        one.workload(),
        one.round(),
        new LoadResult(
            load.mode(),
            load.seconds(),
            load.operations(),
            load.perSecond(),
            load.generator(),
            load.oracle(),
            List.of(why),
            List.of("put failed: <timed out> after 30 s")),
        one.process(),
        one.storage(),
        one.effectiveOptions(),
        one.ioBytesPerSecond());
  }

  /** One system under one schedule, half puts and half gets. */
  Measurement measure(Behavior system, String workload, int round, double[] offered) {
    double[] p99 = new double[offered.length];
    double[] finished = new double[offered.length];
    double queue = 0;
    for (int second = 0; second < offered.length; second++) {
      boolean stalled =
          system.stallEvery() > 0
              && offered[second] > 1_000
              && (second + 7) % system.stallEvery() < system.stallSeconds();
      double capacity = stalled ? 900 : 19_500;
      double due = queue + offered[second];
      finished[second] = Math.min(due, capacity);
      queue = due - finished[second];
      double load = 0.35 + 0.65 * offered[second] / 16_000;
      double waiting = 1e6 * queue / 17_000;
      p99[second] = system.baseMicros() * load * Math.exp(0.22 * gaussian()) + waiting;
    }
    List<OpFigures> operations = new ArrayList<>();
    List<SecondFigures> seconds = new ArrayList<>();
    for (OpKind op : List.of(OpKind.PUT, OpKind.GET)) {
      double factor = op == OpKind.PUT ? 1 : 0.7;
      List<Double> latencies = new ArrayList<>();
      for (int second = 0; second < offered.length; second++) {
        double micros = p99[second] * factor * Math.exp(0.05 * gaussian());
        latencies.add(micros);
        seconds.add(
            new SecondFigures(
                second,
                op,
                Math.round(offered[second] / 2),
                Math.round(finished[second] / 2),
                0,
                Math.round(1e3 * micros / 6),
                Math.round(1e3 * micros),
                Math.round(1e3 * micros * (1.3 + random.nextDouble()))));
      }
      operations.add(operation(op, offered, finished, latencies));
    }
    return new Measurement(
        system.name(),
        workload,
        round,
        new LoadResult(
            "open",
            offered.length,
            operations,
            seconds,
            new GeneratorFigures(
                21_000,
                180_000 + random.nextLong(90_000),
                2_100_000,
                0.01 * random.nextDouble(),
                0.06,
                0),
            new OracleFigures(1_440_000, 14_300, 0, List.of(), 0),
            List.of(),
            List.of()),
        new ProcessFigures(
            offered.length * (0.9 + 0.4 * random.nextDouble()),
            (700L << 20) + random.nextLong(200L << 20),
            4_000_000 + random.nextLong(9_000_000),
            5_000_000 + random.nextLong(9_000_000)),
        system.tells()
            ? new StorageFigures(1L << 30, 11.4, 9.8 + random.nextDouble(), 1.9, 1.21)
            : StorageFigures.UNKNOWN,
        options(system),
        system.tells()
            ? io(offered, finished, system.stallEvery() > 0, system.name().equals("silkkv"))
            : new TreeMap<>());
  }

  private OpFigures operation(
      OpKind op, double[] offered, double[] finished, List<Double> p99Micros) {
    List<Double> sorted = p99Micros.stream().sorted().toList();
    double median = Figure.median(p99Micros).value();
    long bad = BadSeconds.of(p99Micros).stream().filter(second -> second).count();
    double total = 0;
    double answered = 0;
    for (int second = 0; second < offered.length; second++) {
      total += offered[second] / 2;
      answered += finished[second] / 2;
    }
    double last = sorted.get(sorted.size() - 1);
    return new OpFigures(
        op,
        total / offered.length,
        answered / offered.length,
        Math.round(total),
        0,
        0,
        Math.round(1e3 * median / 6),
        Math.round(1e3 * median / 3),
        Math.round(1e3 * sorted.get(sorted.size() * 9 / 10)),
        Math.round(1e3 * last * 0.97),
        Math.round(1e3 * last * 1.1),
        Math.round(1e3 * last * 1.4),
        (int) bad,
        bad * 700_000_000L);
  }

  private SortedMap<String, List<Double>> io(
      double[] offered, double[] finished, boolean greedy, boolean cluster) {
    SortedMap<String, List<Double>> io = new TreeMap<>();
    for (String name : List.of("client", "log", "replication", "flush", "l0", "deep")) {
      io.put(name, new ArrayList<>());
    }
    double deepDebt = 0;
    for (int second = 0; second < offered.length; second++) {
      double put = finished[second] / 2 * VALUE_BYTES;
      double client = finished[second] / 2 * VALUE_BYTES * (1.2 + 0.3 * random.nextDouble());
      double flush = put * (0.8 + 0.4 * random.nextDouble());
      double l0 = second % 9 < 6 ? put * (2.2 + 0.8 * random.nextDouble()) : 0;
      deepDebt += put * 9;
      double log = cluster ? put : 0;
      double replication = cluster ? 2 * put : 0;
      double left = LIMIT - client - log - replication - flush - l0;
      double wish = greedy ? left : offered[second] > 1_000 ? 0.35 * left : left;
      double deep = Math.max(0, Math.min(deepDebt, wish * (0.85 + 0.15 * random.nextDouble())));
      deepDebt -= deep;
      io.get("client").add(client);
      io.get("log").add(log);
      io.get("replication").add(replication);
      io.get("flush").add(flush);
      io.get("l0").add(l0);
      io.get("deep").add(deep);
    }
    return io;
  }

  private static SortedMap<String, String> options(Behavior system) {
    SortedMap<String, String> options = new TreeMap<>();
    options.put("memtables", "2 x 64 MiB");
    options.put("block cache", "64 MiB");
    options.put("compression", "none");
    options.put("background threads", system.name().startsWith("rocksdb") ? "4" : "3");
    options.put("device probe", "wrote 199 MB/s, read 201 MB/s");
    if (system.name().startsWith("silkkv-")) {
      options.put("I/O policy", system.name().substring("silkkv-".length()));
    } else {
      options.put("level0_slowdown_writes_trigger", "20");
      options.put("level0_stop_writes_trigger", "36");
    }
    return options;
  }

  private double gaussian() {
    return random.nextGaussian();
  }
}
