package io.silkkv.ops.bench.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.DoubleFunction;

/**
 * The frame of a chart over time, as SVG: shaded load, axes, lines, names at their ends. All charts
 * of a page have the same left and right edge, so that the eye can go straight down.
 */
final class Plot {
  static final int WIDTH = 1080;
  static final int LEFT = 60;
  static final int RIGHT = 890;
  private static final int LABEL_GAP = 14;
  private static final int AXIS_HEIGHT = 34;

  private final Markup svg;
  private final Seconds seconds;
  private final int top;
  private final int bottom;

  /** A name beside the end of a line. */
  private record EndLabel(String text, int color, double y) {}

  Plot(Markup svg, Seconds seconds, int top, int bottom) {
    this.svg = svg;
    this.seconds = seconds;
    this.top = top;
    this.bottom = bottom;
  }

  /** Opens the picture; {@code describe} is read to those who do not see it. */
  static Markup begin(int height, String describe) {
    return new Markup()
        .open(
            "svg",
            "viewBox",
            "0 0 " + WIDTH + " " + height,
            "role",
            "img",
            "aria-label",
            describe,
            "preserveAspectRatio",
            "xMidYMid meet");
  }

  /** Room for the plot, the labels of the time axis and its title. */
  static int height(int bottom) {
    return bottom + AXIS_HEIGHT;
  }

  /** The pixel where a bucket begins and the one before it ends. */
  double edge(int bucket) {
    return x(Math.min(seconds.total(), bucket * seconds.perBucket()));
  }

  private double x(double second) {
    return LEFT + (RIGHT - LEFT) * second / Math.max(1, seconds.total());
  }

  private double center(int bucket) {
    return x(Math.min(seconds.total(), (bucket + 0.5) * seconds.perBucket()));
  }

  /** Grey behind the lines, the darker the more load was offered. */
  void shade(List<Double> offered) {
    double largest = offered.stream().reduce(0.0, Seconds::larger);
    for (int from = 0; from < offered.size(); ) {
      double load = offered.get(from);
      int to = from + 1;
      while (to < offered.size() && Math.abs(offered.get(to) - load) <= 0.02 * largest) {
        to++;
      }
      if (load > 0) {
        // Tenths are shades enough, and let neighbours of nearly the same load share one.
        long shade = Math.round(10 * load / largest);
        svg.rect("load load" + shade, edge(from), top, edge(to) - edge(from), bottom - top);
      }
      from = to;
    }
  }

  /** The offered load as steps from the axis up. */
  void offered(List<Double> offered, Scale scale) {
    for (int from = 0; from < offered.size(); ) {
      double load = offered.get(from);
      int to = from + 1;
      while (to < offered.size() && offered.get(to) == load) {
        to++;
      }
      double y = scale.at(load);
      svg.rect("offered", edge(from), y, edge(to) - edge(from), bottom - y);
      from = to;
    }
  }

  /** Lines across, labels at the left, the title above them, and the time below. */
  void axes(Scale scale, DoubleFunction<String> label, String title) {
    for (double tick : scale.minorTicks()) {
      across("grid minor", scale.at(tick));
    }
    for (double tick : scale.ticks()) {
      across("grid", scale.at(tick));
      svg.label("tick end", LEFT - 8, scale.at(tick) + 4, label.apply(tick));
    }
    svg.label("axis", LEFT, top - 9, title);
    time();
  }

  private void across(String kind, double y) {
    svg.rule(kind, LEFT, y, RIGHT, y);
  }

  /** The time axis. */
  void time() {
    int step = timeStep(seconds.total());
    svg.rule("base", LEFT, bottom, RIGHT, bottom);
    for (int second = 0; second <= seconds.total(); second += step) {
      svg.rule("base", x(second), bottom, x(second), bottom + 4);
      svg.label("tick middle", x(second), bottom + 17, String.valueOf(second));
    }
    svg.label("axis end", RIGHT, bottom + 31, "seconds since the load began");
  }

  /** About ten steps that people count time in. */
  private static int timeStep(int total) {
    for (int step : new int[] {1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200, 1800}) {
      if (total <= step * 13) {
        return step;
      }
    }
    return 3600 * Math.max(1, total / 3600 / 10);
  }

  /** Each system's line, its range over the rounds, its marks and its name. */
  void lines(List<Line> lines, Scale scale) {
    for (Line line : lines) {
      svg.system(line.color());
      if (line.hasRange()) {
        area("range", line.min(), line.max(), scale);
      }
      svg.path("line", path(line.value(), scale));
      dots(line, scale);
      svg.close("g");
    }
    names(lines, scale);
  }

  private void dots(Line line, Scale scale) {
    for (int bucket = 0; bucket < line.marks().size(); bucket++) {
      double value = line.max().get(bucket);
      if (Double.isNaN(value)) {
        continue;
      }
      if (line.marks().get(bucket)) {
        svg.dot("bad", center(bucket), scale.at(value), 3.2);
      } else if (isAlone(line.value(), bucket)) {
        svg.dot("alone", center(bucket), scale.at(value), 1.4);
      }
    }
  }

  /** A value between two gaps, which a path does not show. */
  private static boolean isAlone(List<Double> values, int bucket) {
    return (bucket == 0 || Double.isNaN(values.get(bucket - 1)))
        && (bucket == values.size() - 1 || Double.isNaN(values.get(bucket + 1)));
  }

  private String path(List<Double> values, Scale scale) {
    StringBuilder path = new StringBuilder();
    boolean pen = false;
    for (int bucket = 0; bucket < values.size(); bucket++) {
      double value = values.get(bucket);
      if (!Double.isNaN(value)) {
        path.append(pen ? 'L' : 'M').append(point(bucket, value, scale));
      }
      pen = !Double.isNaN(value);
    }
    return path.toString();
  }

  private String point(int bucket, double value, Scale scale) {
    return Markup.px(center(bucket)) + " " + Markup.px(scale.at(value));
  }

  /** The area between two lines; a NaN in either ends a piece. */
  void area(String kind, List<Double> low, List<Double> high, Scale scale) {
    StringBuilder path = new StringBuilder();
    for (int from = 0; from < low.size(); from++) {
      int to = from;
      while (to < low.size() && !Double.isNaN(low.get(to)) && !Double.isNaN(high.get(to))) {
        to++;
      }
      if (to > from) {
        for (int i = from; i < to; i++) {
          path.append(i == from ? 'M' : 'L').append(point(i, high.get(i), scale));
        }
        for (int i = to - 1; i >= from; i--) {
          path.append('L').append(point(i, low.get(i), scale));
        }
        path.append('Z');
        from = to;
      }
    }
    svg.path(kind, path.toString());
  }

  /** Names at the line ends, moved apart where they would overlap. */
  private void names(List<Line> lines, Scale scale) {
    List<EndLabel> labels = new ArrayList<>();
    for (Line line : lines) {
      double last = line.value().stream().reduce(Double.NaN, (a, b) -> Double.isNaN(b) ? a : b);
      if (!Double.isNaN(last)) {
        labels.add(new EndLabel(line.system(), line.color(), scale.at(last)));
      }
    }
    labels.sort(Comparator.comparingDouble(EndLabel::y));
    double room = bottom - (double) LABEL_GAP * (labels.size() - 1);
    double next = top;
    for (EndLabel label : labels) {
      double y = Math.max(next, Math.min(label.y(), room));
      String leader =
          "M"
              + Markup.px(RIGHT + 1)
              + " "
              + Markup.px(label.y())
              + "L"
              + Markup.px(RIGHT + 9)
              + " "
              + Markup.px(y)
              + "h7";
      svg.system(label.color())
          .path("leader", leader)
          .label("name", RIGHT + 20, y + 4, label.text())
          .close("g");
      next = y + LABEL_GAP;
      room += LABEL_GAP;
    }
  }

  /** A dashed line across with a word beside it. */
  void limit(double y, String label) {
    across("limit", y);
    svg.label("tick", RIGHT + 6, y + 4, label);
  }
}
