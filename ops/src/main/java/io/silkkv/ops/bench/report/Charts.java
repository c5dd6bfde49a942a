package io.silkkv.ops.bench.report;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The charts of one workload, each a figure element with a title that says what is shown. */
final class Charts {
  private static final int TOP = 30;
  private static final int RIBBON_ROW = 48;
  private static final int RIBBON_CELL = 18;

  /** Upper ends of the ribbon's shades, in microseconds; the last shade has no end. */
  private static final List<Double> SHADES = List.of(1e3, 1e4, 1e5, 1e6);

  private static final Gson GSON = new Gson();

  private final WorkloadView view;
  private final Seconds seconds;
  private final List<Double> offered;

  /** A set of values that the page's script shows beside the pointer. */
  private record Hover(String name, String cssClass, List<Double> values) {}

  Charts(WorkloadView view) {
    this.view = view;
    this.seconds = view.seconds();
    this.offered = view.offered();
  }

  private String each() {
    return seconds.perBucket() == 1
        ? "each second"
        : "the worst second of every " + seconds.perBucket();
  }

  private String rounds() {
    return view.rounds() == 1
        ? ""
        : " Lines are the median of " + view.rounds() + " rounds, bands their range.";
  }

  /** A strip per system, each second as dark as it was slow. */
  String ribbon() {
    List<Line> lines = view.systems().stream().map(view::worst).toList();
    int bottom = TOP + RIBBON_ROW * lines.size();
    Markup svg = Plot.begin(Plot.height(bottom), "Slow seconds of each system");
    Plot plot = new Plot(svg, seconds, TOP - 14, bottom);
    plot.shade(offered);
    int top = TOP - 8;
    for (Line line : lines) {
      ribbonRow(svg, plot, line, top);
      top += RIBBON_ROW;
    }
    plot.time();
    svg.close("svg");
    return figure(
        "Who stalls when",
        "p99 of the slowest operation, "
            + each()
            + (view.rounds() > 1 ? " of the worst round" : "")
            + ". The mark below a second: over ten times the system's own median second."
            + (offered.isEmpty() ? "" : " Grey: offered load."),
        ribbonKey() + svg,
        "us",
        lines.stream().map(Charts::hover).toList());
  }

  private void ribbonRow(Markup svg, Plot plot, Line line, int top) {
    Row bad = view.worstRow(line.system(), row -> zeroIfUnknown(row.figure(Metric.BAD_SECONDS)));
    double count = zeroIfUnknown(bad.figure(Metric.BAD_SECONDS));
    double worst = line.value().stream().reduce(Double.NaN, Seconds::larger);
    int cells = top + 16;
    svg.system(line.color());
    svg.rect("chip", Plot.LEFT, top, 10, 10);
    svg.label("name", Plot.LEFT + 16, top + 9, line.system() + (bad.valid() ? "" : " · INVALID"));
    svg.label(
        "name",
        Plot.RIGHT + 14,
        cells + 5,
        (count == 0 ? "no" : Metric.BAD_SECONDS.unit().text(count))
            + (count == 1 ? " bad second" : " bad seconds")
            + (count > 0 ? " (" + bad.op() + ")" : ""));
    svg.label(
        "tick", Plot.RIGHT + 14, cells + 20, "worst p99 " + HtmlTables.pretty(Unit.MICROS, worst));
    for (int bucket = 0; bucket < seconds.buckets(); bucket++) {
      double x = plot.edge(bucket);
      double width = plot.edge(bucket + 1) - x;
      double value = line.value().get(bucket);
      if (!Double.isNaN(value)) {
        svg.rect("heat" + shade(value), x, cells, width + 0.1, RIBBON_CELL);
      }
      if (line.marks().get(bucket)) {
        svg.rect("badmark", x, cells + RIBBON_CELL + 2, Math.max(1.5, width), 3);
      }
    }
    svg.close("g");
  }

  private static double zeroIfUnknown(Figure figure) {
    return figure.isKnown() ? figure.value() : 0;
  }

  private static int shade(double micros) {
    int shade = 0;
    while (shade < SHADES.size() && micros >= SHADES.get(shade)) {
      shade++;
    }
    return shade;
  }

  private static String ribbonKey() {
    Markup key = new Markup().open("div", "class", "heatkey").element("span", "p99");
    String[] names = {"under 1 ms", "to 10 ms", "to 100 ms", "to 1 s", "over 1 s"};
    for (int i = 0; i < names.length; i++) {
      key.open("span")
          .raw(
              "<svg viewBox=\"0 0 14 14\"><rect width=\"14\" height=\"14\" class=\"heat"
                  + i
                  + "\"/></svg>")
          .text(names[i])
          .close("span");
    }
    return key.close("div").toString();
  }

  /** The p99 of an operation over time. */
  String latency(String op) {
    List<Line> lines = view.latencies(op);
    double smallest =
        lines.stream()
            .flatMap(line -> line.min().stream())
            .filter(v -> v > 0)
            .reduce(1e12, Math::min);
    double largest =
        lines.stream().flatMap(line -> line.max().stream()).reduce(Double.NaN, Seconds::larger);
    if (Double.isNaN(largest)) {
      return "";
    }
    int bottom = TOP + 290;
    Markup svg = Plot.begin(Plot.height(bottom), "p99 of " + op + " over time");
    Plot plot = new Plot(svg, seconds, TOP, bottom);
    Scale scale = Scale.Log.around(Math.max(1, smallest), Math.max(2, largest), bottom, TOP);
    plot.shade(offered);
    plot.axes(scale, value -> HtmlTables.tick(Unit.MICROS, value), "latency, logarithmic scale");
    plot.lines(lines, scale);
    svg.close("svg");
    return figure(
        op + ": p99 of " + each(),
        "Latency that 1 in 100 operations due in that second exceeded. Dots: bad seconds."
            + (offered.isEmpty() ? "" : " Grey: offered load, darker is more.")
            + rounds(),
        svg.toString(),
        "us",
        lines.stream().map(Charts::hover).toList());
  }

  /** Answers over time. */
  String rate() {
    List<Line> lines = view.rates();
    double largest =
        lines.stream().flatMap(line -> line.max().stream()).reduce(0.0, Seconds::larger);
    largest = Math.max(largest, offered.stream().reduce(0.0, Seconds::larger));
    int bottom = TOP + 210;
    Markup svg = Plot.begin(Plot.height(bottom), "Operations answered over time");
    Plot plot = new Plot(svg, seconds, TOP, bottom);
    Scale scale = Scale.Linear.reaching(largest, 5, bottom, TOP);
    plot.offered(offered, scale);
    plot.axes(scale, Unit.PER_SECOND::text, "operations answered per second");
    plot.lines(lines, scale);
    svg.close("svg");
    List<Hover> hovers = new ArrayList<>(lines.stream().map(Charts::hover).toList());
    if (!offered.isEmpty()) {
      hovers.add(new Hover("offered", "offered-key", offered));
    }
    return figure(
        "Throughput: all operations answered, "
            + (seconds.perBucket() == 1
                ? "each second"
                : "mean of every " + seconds.perBucket() + " seconds"),
        (offered.isEmpty()
                ? "Closed loop: as fast as the system answers."
                : "Grey: offered load. A line below it is a queue that grows, one above it a queue"
                    + " that is worked off.")
            + rounds(),
        svg.toString(),
        "op/s",
        hovers);
  }

  /** Bandwidth by class, a chart per system that tells, all with the same scale. */
  String bandwidths(double limit) {
    List<String> told =
        view.systems().stream().filter(system -> !classes(system).isEmpty()).toList();
    double largest = Double.isNaN(limit) ? 0 : limit;
    for (String system : told) {
      List<List<Double>> stack = stack(system);
      largest =
          Math.max(largest, stack.get(stack.size() - 1).stream().reduce(0.0, Seconds::larger));
    }
    StringBuilder figures = new StringBuilder();
    for (String system : told) {
      figures.append(bandwidth(system, limit, largest));
    }
    return figures.toString();
  }

  /** Classes in which anything moved, in stacking order. */
  private List<String> classes(String system) {
    TreeSet<String> names =
        new TreeSet<>(Comparator.comparingInt(Palette::ioOrder).thenComparing(name -> name));
    for (Series round : view.rounds(system)) {
      round
          .io()
          .forEach(
              (name, bytes) -> {
                if (bytes.stream().anyMatch(value -> value > 0)) {
                  names.add(name);
                }
              });
    }
    return List.copyOf(names);
  }

  /** Bytes per second of a class: the median round's. */
  private List<Double> bytes(String system, String ioClass) {
    List<List<Double>> rounds =
        view.rounds(system).stream()
            .map(round -> seconds.mean(round.io().getOrDefault(ioClass, List.of())))
            .toList();
    return Line.over(system, 0, rounds, Collections.nCopies(seconds.buckets(), false))
        .value()
        .stream()
        .map(value -> Double.isNaN(value) ? 0 : value)
        .toList();
  }

  /** The edges of the stack from zero upwards: one more than there are classes. */
  private List<List<Double>> stack(String system) {
    List<List<Double>> edges = new ArrayList<>();
    edges.add(Collections.nCopies(seconds.buckets(), 0.0));
    for (String ioClass : classes(system)) {
      List<Double> below = edges.get(edges.size() - 1);
      List<Double> bytes = bytes(system, ioClass);
      List<Double> edge = new ArrayList<>();
      for (int i = 0; i < below.size(); i++) {
        edge.add(below.get(i) + bytes.get(i));
      }
      edges.add(edge);
    }
    return edges;
  }

  private String bandwidth(String system, double limit, double largest) {
    List<String> classes = classes(system);
    List<List<Double>> stack = stack(system);
    int bottom = TOP + 190;
    Markup svg = Plot.begin(Plot.height(bottom), "Bandwidth of " + system + " by class");
    Plot plot = new Plot(svg, seconds, TOP, bottom);
    Scale scale = Scale.Linear.reaching(largest / 1e6, 4, bottom, TOP);
    plot.shade(offered);
    plot.axes(scale, HtmlTables::tick, "MB/s, read and written");
    Markup key = new Markup().open("div", "class", "iokey");
    List<Hover> hovers = new ArrayList<>();
    for (int i = 0; i < classes.size(); i++) {
      String css = Palette.ioClass(classes.get(i));
      plot.area("stack " + css, megabytes(stack.get(i)), megabytes(stack.get(i + 1)), scale);
      key.open("span").open("i", "class", css).close("i").text(classes.get(i)).close("span");
      hovers.add(new Hover(classes.get(i), css, megabytes(bytes(system, classes.get(i)))));
    }
    Collections.reverse(hovers);
    if (!Double.isNaN(limit)) {
      plot.limit(
          scale.at(limit / 1e6),
          "limit " + HtmlTables.pretty(Unit.BYTES_PER_SECOND, limit) + " each way");
    }
    key.close("div");
    svg.close("svg");
    boolean whole = classes.equals(List.of(Palette.DISK_READ, Palette.DISK_WRITE));
    return figure(
        system + (whole ? ": bandwidth of its process, stacked" : ": bandwidth by class, stacked"),
        (whole
                ? "What the operating system counted in each second; the system does not tell for"
                    + " whom."
                : "What moved in each second, and for whom; clients at the bottom, deep compaction"
                    + " on top.")
            + (view.rounds() > 1 ? " Median round." : ""),
        key + svg.toString(),
        "MB/s",
        hovers);
  }

  private static List<Double> megabytes(List<Double> bytes) {
    return bytes.stream().map(value -> value / 1e6).toList();
  }

  private static Hover hover(Line line) {
    return new Hover(line.system(), Palette.color(line.color()), line.value());
  }

  private String figure(
      String title, String explanation, String content, String unit, List<Hover> hovers) {
    JsonObject data = new JsonObject();
    data.addProperty("unit", unit);
    data.addProperty("left", Plot.LEFT);
    data.addProperty("right", Plot.RIGHT);
    data.addProperty("total", seconds.total());
    data.addProperty("per", seconds.perBucket());
    JsonArray lines = new JsonArray();
    for (Hover hover : hovers) {
      JsonObject line = new JsonObject();
      line.addProperty("name", hover.name());
      line.addProperty("class", hover.cssClass());
      JsonArray values = new JsonArray();
      hover.values().forEach(value -> values.add(rounded(value)));
      line.add("values", values);
      lines.add(line);
    }
    data.add("lines", lines);
    return new Markup()
        .open("figure", "class", "chart")
        .open("figcaption")
        .element("h3", title)
        .element("p", explanation)
        .close("figcaption")
        .raw(content)
        // Gson writes < and > as escapes, so no name can end the element.
        .open("script", "type", "application/json")
        .raw(GSON.toJson(data))
        .close("script")
        .close("figure")
        .toString();
  }

  private static @Nullable Number rounded(double value) {
    return Double.isNaN(value) ? null : Math.rint(value * 10) / 10;
  }
}
