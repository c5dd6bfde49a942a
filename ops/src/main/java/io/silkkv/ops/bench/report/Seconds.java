package io.silkkv.ops.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The seconds of a run, joined into buckets when there are more than a page has room for.
 *
 * @param total seconds of the longest series
 * @param perBucket seconds that share a point
 */
record Seconds(int total, int perBucket) {
  private static final int MOST_BUCKETS = 600;

  static Seconds of(int total) {
    return new Seconds(total, Math.max(1, (total + MOST_BUCKETS - 1) / MOST_BUCKETS));
  }

  int buckets() {
    return (total + perBucket - 1) / perBucket;
  }

  /** The largest value of each bucket: joining seconds must not hide a stall. */
  List<Double> worst(List<Double> perSecond) {
    return join(perSecond, values -> values.stream().reduce(Double.NaN, Seconds::larger));
  }

  /** The mean of each bucket over the seconds that have a value. */
  List<Double> mean(List<Double> perSecond) {
    return join(
        perSecond,
        values ->
            values.stream()
                .mapToDouble(Double::doubleValue)
                .filter(value -> !Double.isNaN(value))
                .average()
                .orElse(Double.NaN));
  }

  /** The larger one; a number is larger than none. */
  static double larger(double a, double b) {
    return Double.isNaN(a) || b > a ? b : a;
  }

  private List<Double> join(List<Double> perSecond, ToDoubleFunction<List<Double>> summary) {
    List<Double> buckets = new ArrayList<>();
    for (int bucket = 0; bucket < buckets(); bucket++) {
      int from = Math.min(perSecond.size(), bucket * perBucket);
      int to = Math.min(perSecond.size(), from + perBucket);
      buckets.add(from == to ? Double.NaN : summary.applyAsDouble(perSecond.subList(from, to)));
    }
    return buckets;
  }
}
