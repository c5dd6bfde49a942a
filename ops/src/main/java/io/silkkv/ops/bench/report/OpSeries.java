package io.silkkv.ops.bench.report;

import java.util.List;

/**
 * One operation, second by second; all lists are equally long. A latency belongs to the second in
 * which its operation was due.
 *
 * @param finished operations that were answered well in the second
 * @param p50 microseconds; NaN where nothing was due, in all three
 * @param p99 microseconds
 * @param max microseconds
 */
public record OpSeries(
    List<Double> finished, List<Double> p50, List<Double> p99, List<Double> max) {
  public OpSeries {
    finished = List.copyOf(finished);
    p50 = List.copyOf(p50);
    p99 = List.copyOf(p99);
    max = List.copyOf(max);
    int seconds = finished.size();
    if (p50.size() != seconds || p99.size() != seconds || max.size() != seconds) {
      throw new IllegalArgumentException("the lists of a series must be equally long");
    }
  }

  int seconds() {
    return finished.size();
  }
}
