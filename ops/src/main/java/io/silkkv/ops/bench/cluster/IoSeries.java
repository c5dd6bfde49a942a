package io.silkkv.ops.bench.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Bytes per second that a system moves, by class, from its making until {@link #end}. Looks at the
 * system once a second, on a thread of its own.
 */
final class IoSeries {
  private final ClusterSystem system;
  private final ScheduledExecutorService thread;

  @GuardedBy("this")
  private final List<SortedMap<String, Double>> totals = new ArrayList<>();

  IoSeries(ClusterSystem system) {
    this.system = system;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread created = new Thread(task, "io-series");
              created.setDaemon(true);
              return created;
            });
    Future<?> unused = thread.scheduleAtFixedRate(this::look, 0, 1, TimeUnit.SECONDS);
  }

  private void look() {
    try {
      SortedMap<String, Double> now = system.ioBytes();
      synchronized (this) {
        totals.add(now);
      }
    } catch (InterruptedException e) {
      // Only end() interrupts, when nobody wants this look any more.
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Stops, and returns one value per second for every class; empty when the system tells nothing.
   */
  SortedMap<String, List<Double>> end() {
    thread.shutdownNow();
    synchronized (this) {
      return differences(totals);
    }
  }

  static SortedMap<String, List<Double>> differences(List<SortedMap<String, Double>> totals) {
    SortedMap<String, List<Double>> series = new TreeMap<>();
    for (int second = 0; second + 1 < totals.size(); second++) {
      SortedMap<String, Double> before = totals.get(second);
      for (String name : before.keySet()) {
        double moved = totals.get(second + 1).getOrDefault(name, 0.0) - before.get(name);
        // A node that was killed takes its count along.
        series.computeIfAbsent(name, unused -> new ArrayList<>()).add(Math.max(0, moved));
      }
    }
    return series;
  }
}
