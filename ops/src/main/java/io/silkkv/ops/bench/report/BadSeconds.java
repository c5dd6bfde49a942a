package io.silkkv.ops.bench.report;

import java.util.List;

/**
 * Which seconds of a run were bad: their p99 is over ten times that of the median second. The
 * comparison is with the run itself, so a system that is always slow has no bad seconds; its
 * percentiles show it.
 */
final class BadSeconds {
  private static final double FACTOR = 10;

  private BadSeconds() {}

  /**
   * @param p99 per second; NaN where nothing was due
   * @return for every second whether it was bad
   */
  static List<Boolean> of(List<Double> p99) {
    double[] due =
        p99.stream()
            .mapToDouble(Double::doubleValue)
            .filter(value -> !Double.isNaN(value))
            .sorted()
            .toArray();
    // The lower one of two medians, as the load generator counts.
    double limit = due.length == 0 ? 0 : FACTOR * due[(due.length - 1) / 2];
    return p99.stream().map(value -> value > limit).toList();
  }
}
