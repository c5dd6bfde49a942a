package io.silkkv.ops.bench.report;

import java.util.List;

/**
 * One figure over the rounds of a run.
 *
 * @param value the median round's, or the sum where rounds are added up; NaN when it was not
 *     measured
 * @param min the smallest round's
 * @param max the largest round's
 */
public record Figure(double value, double min, double max) {
  /** What was not measured. */
  public static final Figure UNKNOWN = new Figure(Double.NaN, Double.NaN, Double.NaN);

  /** A figure of one round. */
  public static Figure of(double value) {
    return new Figure(value, value, value);
  }

  /** Median and range; rounds without the figure (NaN) do not count. */
  public static Figure median(List<Double> rounds) {
    double[] sorted = known(rounds);
    if (sorted.length == 0) {
      return UNKNOWN;
    }
    return new Figure(middle(sorted), sorted[0], sorted[sorted.length - 1]);
  }

  /** Sum and range; rounds without the figure (NaN) do not count. */
  public static Figure sum(List<Double> rounds) {
    double[] sorted = known(rounds);
    if (sorted.length == 0) {
      return UNKNOWN;
    }
    double sum = 0;
    for (double value : sorted) {
      sum += value;
    }
    return new Figure(sum, sorted[0], sorted[sorted.length - 1]);
  }

  public boolean isKnown() {
    return !Double.isNaN(value);
  }

  /** Whether the ranges have a value in common, in which case the difference says little. */
  public boolean overlaps(Figure other) {
    return min <= other.max && other.min <= max;
  }

  /** The middle value; of an even number of values, the mean of the middle two. */
  private static double middle(double[] sorted) {
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  private static double[] known(List<Double> values) {
    return values.stream()
        .mapToDouble(Double::doubleValue)
        .filter(value -> !Double.isNaN(value))
        .sorted()
        .toArray();
  }
}
