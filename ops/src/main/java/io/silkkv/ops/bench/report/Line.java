package io.silkkv.ops.bench.report;

import java.util.ArrayList;
import java.util.List;

/**
 * One system's line on a chart: the median round with the range of all rounds around it.
 *
 * @param system its name
 * @param color index of its color
 * @param value per bucket; NaN breaks the line
 * @param min the smallest round's
 * @param max the largest round's
 * @param marks whether the bucket gets a dot
 */
record Line(
    String system,
    int color,
    List<Double> value,
    List<Double> min,
    List<Double> max,
    List<Boolean> marks) {

  /** Joins the rounds; each list has one value per bucket. */
  static Line over(String system, int color, List<List<Double>> rounds, List<Boolean> marks) {
    List<Double> value = new ArrayList<>();
    List<Double> min = new ArrayList<>();
    List<Double> max = new ArrayList<>();
    for (int bucket = 0; bucket < marks.size(); bucket++) {
      int at = bucket;
      Figure figure = Figure.median(rounds.stream().map(round -> round.get(at)).toList());
      value.add(figure.value());
      min.add(figure.min());
      max.add(figure.max());
    }
    return new Line(system, color, value, min, max, marks);
  }

  boolean hasRange() {
    return !min.equals(max);
  }
}
