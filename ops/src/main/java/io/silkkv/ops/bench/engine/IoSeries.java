package io.silkkv.ops.bench.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Bytes per second by class of traffic, looked at once a second. A system that does not tell its
 * classes is described by what the operating system counts for the process: {@code disk-read} and
 * {@code disk-write}. For one thread.
 */
final class IoSeries implements AutoCloseable {
  private static final Path PROCESS_IO = Path.of("/proc/self/io");

  private final Callable<SortedMap<String, Long>> totals;
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "bench-io-series");
            thread.setDaemon(true);
            return thread;
          });

  /** Written by the sampling thread only, and read after its end. */
  private final List<SortedMap<String, Long>> samples = new ArrayList<>();

  private IoSeries(Callable<SortedMap<String, Long>> totals) {
    this.totals = totals;
  }

  /** Looks at an engine from now on. */
  static IoSeries start(MeasuredEngine engine) {
    return start(
        () -> {
          SortedMap<String, Long> classes = engine.counters().bytesByClass();
          return classes.isEmpty() ? ofProcess(PROCESS_IO) : classes;
        });
  }

  private static IoSeries start(Callable<SortedMap<String, Long>> totals) {
    IoSeries series = new IoSeries(totals);
    var unused =
        series.clock.scheduleAtFixedRate(series::sample, 0, 1_000_000, TimeUnit.MICROSECONDS);
    return series;
  }

  private void sample() {
    try {
      samples.add(totals.call());
    } catch (Exception e) {
      throw new IllegalStateException("the traffic of the system cannot be read", e);
    }
  }

  /** What the operating system counts for the process; empty where it does not. */
  static SortedMap<String, Long> ofProcess(Path file) throws IOException {
    SortedMap<String, Long> totals = new TreeMap<>();
    if (!Files.isReadable(file)) {
      return totals;
    }
    for (String line : Files.readAllLines(file)) {
      String[] sides = line.split(": ", -1);
      if (sides[0].equals("read_bytes")) {
        totals.put("disk-read", Long.parseLong(sides[1]));
      } else if (sides[0].equals("write_bytes")) {
        totals.put("disk-write", Long.parseLong(sides[1]));
      }
    }
    return totals;
  }

  /** Ends the watch. Classes in which nothing moved are left out. */
  SortedMap<String, List<Double>> stop() throws InterruptedException {
    close();
    if (!clock.awaitTermination(10, TimeUnit.SECONDS)) {
      throw new IllegalStateException("a look at the traffic does not end");
    }
    return perSecond(samples);
  }

  static SortedMap<String, List<Double>> perSecond(List<SortedMap<String, Long>> samples) {
    SortedMap<String, List<Double>> series = new TreeMap<>();
    for (int i = 1; i < samples.size(); i++) {
      SortedMap<String, Long> before = samples.get(i - 1);
      samples
          .get(i)
          .forEach(
              (name, total) ->
                  series
                      .computeIfAbsent(name, unused -> new ArrayList<>())
                      .add((double) (total - before.getOrDefault(name, 0L))));
    }
    series.values().removeIf(values -> values.stream().allMatch(value -> value == 0));
    return series;
  }

  @Override
  public void close() {
    clock.shutdown();
  }
}
