package io.silkkv.ops.bench.report;

import io.silkkv.ops.bench.load.figures.GeneratorFigures;
import io.silkkv.ops.bench.report.MachineFacts.DeviceFacts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** The tables of the page. */
final class HtmlTables {
  private static final List<Metric> LATENCY =
      Stream.of(Metric.values()).filter(m -> m.scope() == Metric.Scope.OPERATION).toList();
  private static final List<Metric> COST =
      Stream.of(Metric.values()).filter(m -> m.scope() == Metric.Scope.RUN).toList();

  private HtmlTables() {}

  /** As {@link Unit#text}, with a space before the unit and letters that a terminal may lack. */
  static String pretty(Unit unit, double value) {
    if (Double.isNaN(value)) {
      return "–";
    }
    return unit.text(value)
        .replaceFirst("(?<=[0-9])(?=[A-Za-z%])", "\u202f")
        .replace("us", "µs")
        .replace("-", "−");
  }

  /** As {@link #pretty}, for values that are round in their unit. */
  static String tick(Unit unit, double value) {
    return withoutZeros(pretty(unit, value));
  }

  /** A round number. */
  static String tick(double value) {
    return withoutZeros(Unit.digits(value));
  }

  private static String withoutZeros(String number) {
    return number.replaceFirst("(\\.[0-9]*?)0+(?![0-9])", "$1").replaceFirst("\\.(?![0-9])", "");
  }

  /** What the load saw: one line per system and operation. */
  static String latencies(WorkloadView view) {
    List<Metric> metrics = measured(LATENCY, view.rows());
    Markup table = head(new Markup(), List.of("system", "operation"), titles(metrics));
    List<Row> rows = new ArrayList<>();
    // Operation by operation, because systems are compared and operations are not.
    for (String op : view.operations()) {
      view.rows().stream().filter(row -> row.op().equals(op)).forEach(rows::add);
    }
    String previous = "";
    for (Row row : rows) {
      table.open("tr", "class", css(row, !previous.isEmpty() && !previous.equals(row.op())));
      name(table, view, row);
      table.element("td", row.op(), "class", "op");
      metrics.forEach(metric -> figure(table, metric.unit(), row.figure(metric)));
      table.close("tr");
      previous = row.op();
    }
    return table.close("tbody").close("table").close("div").toString();
  }

  /** What it cost: one line per system. */
  static String costs(WorkloadView view) {
    List<Metric> metrics = measured(COST, view.rows());
    Markup table = head(new Markup(), List.of("system"), titles(metrics));
    for (String system : view.systems()) {
      Row row = view.worstRow(system, unused -> 0.0);
      table.open("tr", "class", css(row, false));
      name(table, view, row);
      metrics.forEach(metric -> figure(table, metric.unit(), row.figure(metric)));
      table.close("tr");
    }
    return table.close("tbody").close("table").close("div").toString();
  }

  /** How well the load generator did its own work, and what the oracle saw. */
  static String generator(WorkloadView view) {
    Markup table =
        head(
            new Markup(),
            List.of("system"),
            List.of(
                "lateness p50",
                "lateness p99",
                "lateness max",
                "waited for a free thread",
                "own share of time",
                "unsent",
                "reads checked"));
    for (String system : view.systems()) {
      List<Series> rounds = view.rounds(system);
      table.open("tr");
      name(table, view, view.worstRow(system, unused -> 0.0));
      List<GeneratorFigures> generators = rounds.stream().map(Series::generator).toList();
      micros(table, generators, GeneratorFigures::latenessP50);
      micros(table, generators, GeneratorFigures::latenessP99);
      micros(table, generators, GeneratorFigures::latenessMax);
      share(table, generators, GeneratorFigures::behind);
      share(table, generators, GeneratorFigures::ownShare);
      figure(
          table,
          Unit.COUNT,
          Figure.sum(generators.stream().map(g -> (double) g.unsent()).toList()));
      figure(
          table,
          Unit.COUNT,
          Figure.sum(rounds.stream().map(round -> (double) round.readsChecked()).toList()));
      table.close("tr");
    }
    return table.close("tbody").close("table").close("div").toString();
  }

  private static void micros(
      Markup table, List<GeneratorFigures> rounds, ToLongFunction<GeneratorFigures> nanos) {
    figure(
        table,
        Unit.MICROS,
        Figure.median(rounds.stream().map(round -> nanos.applyAsLong(round) / 1e3).toList()));
  }

  private static void share(
      Markup table, List<GeneratorFigures> rounds, ToDoubleFunction<GeneratorFigures> share) {
    figure(
        table,
        Unit.PERCENT,
        Figure.median(rounds.stream().map(round -> 100 * share.applyAsDouble(round)).toList()));
  }

  /** Why rows are invalid, and the first errors; empty when all is well. */
  static String complaints(WorkloadView view) {
    Map<String, Set<String>> bySystem = new LinkedHashMap<>();
    for (Row row : view.rows()) {
      row.invalid()
          .forEach(
              reason ->
                  bySystem
                      .computeIfAbsent(row.system(), unused -> new LinkedHashSet<>())
                      .add("not to be quoted: " + reason));
    }
    for (String system : view.systems()) {
      for (Series round : view.rounds(system)) {
        round
            .notes()
            .forEach(
                note ->
                    bySystem
                        .computeIfAbsent(system, unused -> new LinkedHashSet<>())
                        .add("round " + round.round() + ": " + note));
      }
    }
    if (bySystem.isEmpty()) {
      return "";
    }
    Markup list = new Markup().open("ul", "class", "complaints");
    bySystem.forEach(
        (system, lines) ->
            lines.forEach(
                line -> list.open("li").element("b", system).text(" " + line).close("li")));
    return list.close("ul").toString();
  }

  private static String css(Row row, boolean first) {
    return (row.valid() ? "" : "invalid ") + (first ? "first" : "");
  }

  private static void name(Markup table, WorkloadView view, Row row) {
    table
        .open("th", "scope", "row")
        .open("i", "class", "chip " + Palette.color(view.color(row.system())))
        .close("i")
        .text(row.system());
    if (!row.valid()) {
      table.element("em", "invalid", "title", String.join("; ", row.invalid()));
    }
    table.close("th");
  }

  /** The value, and below it the range of the rounds where they differ. */
  private static void figure(Markup table, Unit unit, Figure figure) {
    table.open("td").text(pretty(unit, figure.value()));
    if (figure.isKnown() && figure.min() < figure.max()) {
      table.element("small", range(pretty(unit, figure.min()), pretty(unit, figure.max())));
    }
    table.close("td");
  }

  /** Both ends, and the unit only once where they share it. */
  private static String range(String min, String max) {
    int unit = min.indexOf('\u202f');
    boolean shared = unit >= 0 && max.endsWith(min.substring(unit));
    return (shared ? min.substring(0, unit) : min) + "–" + max;
  }

  private static Markup head(Markup table, List<String> names, List<String> figures) {
    table.open("div", "class", "scroll").open("table").open("thead").open("tr");
    names.forEach(name -> table.element("th", name, "class", "left", "scope", "col"));
    figures.forEach(title -> table.element("th", title, "scope", "col"));
    return table.close("tr").close("thead").open("tbody");
  }

  private static List<String> titles(List<Metric> metrics) {
    return metrics.stream().map(Metric::title).toList();
  }

  private static List<Metric> measured(List<Metric> metrics, List<Row> rows) {
    return metrics.stream()
        .filter(metric -> rows.stream().anyMatch(row -> row.figure(metric).isKnown()))
        .toList();
  }

  /** The machine and its device. */
  static String machine(MachineFacts machine) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put(
        "processors", machine.cores() + (machine.cpu().isEmpty() ? "" : " × " + machine.cpu()));
    facts.put(
        "memory",
        machine.memoryBytes() < 0 ? "–" : pretty(Unit.BYTES, (double) machine.memoryBytes()));
    facts.put("kernel", machine.kernel());
    facts.put("Java", machine.jdk());
    DeviceFacts device = machine.device();
    facts.put(
        "device",
        device == null
            ? "–"
            : device.kind() + (device.path().isEmpty() ? "" : ", " + device.path()));
    if (device != null) {
      facts.put(
          "device limit",
          Double.isNaN(device.limitBytesPerSecond())
              ? "none"
              : pretty(Unit.BYTES_PER_SECOND, device.limitBytesPerSecond()) + " each way");
      facts.put(
          "device probe",
          "wrote "
              + pretty(Unit.BYTES_PER_SECOND, device.probeWriteBytesPerSecond())
              + ", read "
              + pretty(Unit.BYTES_PER_SECOND, device.probeReadBytesPerSecond()));
    }
    Markup list = new Markup().open("dl");
    facts.forEach((name, value) -> list.element("dt", name).element("dd", value));
    return list.close("dl").toString();
  }

  /** Options by row, systems by column; rows in which systems differ stand out. */
  static String options(List<SystemFacts> systems) {
    Set<String> names = new TreeSet<>();
    systems.forEach(system -> names.addAll(system.options().keySet()));
    Markup table = new Markup().open("div", "class", "scroll").open("table", "class", "options");
    table.open("thead").open("tr").element("th", "option", "class", "left", "scope", "col");
    systems.forEach(
        system -> table.element("th", system.system(), "class", "left", "scope", "col"));
    table.close("tr").close("thead").open("tbody");
    for (String name : names) {
      List<String> values =
          systems.stream().map(system -> system.options().getOrDefault(name, "")).toList();
      table.open("tr", "class", differ(values) ? "differs" : "");
      table.element("th", name, "scope", "row");
      values.forEach(value -> table.element("td", value));
      table.close("tr");
    }
    return table.close("tbody").close("table").close("div").toString();
  }

  /** An option that a system does not have is no difference in it. */
  private static boolean differ(Collection<String> values) {
    return values.stream().filter(value -> !value.isEmpty()).distinct().count() > 1;
  }
}
