package io.silkkv.ops.bench.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/** What a report knows about one workload, ready to be drawn: one point per bucket of seconds. */
final class WorkloadView {
  private final String workload;
  private final List<Row> rows;
  private final List<Series> series;
  private final List<String> systems;
  private final List<String> colors;
  private final Seconds seconds;

  WorkloadView(RunReport report, String workload) {
    this.workload = workload;
    this.rows = report.rows().stream().filter(row -> row.workload().equals(workload)).toList();
    this.series = report.series().stream().filter(one -> one.workload().equals(workload)).toList();
    this.systems = rows.stream().map(Row::system).distinct().toList();
    // By the whole report, so that a system has the same color under every workload.
    this.colors = report.rows().stream().map(Row::system).distinct().toList();
    this.seconds = Seconds.of(series.stream().mapToInt(Series::seconds).max().orElse(0));
  }

  String workload() {
    return workload;
  }

  List<Row> rows() {
    return rows;
  }

  List<String> systems() {
    return systems;
  }

  int color(String system) {
    return colors.indexOf(system);
  }

  Seconds seconds() {
    return seconds;
  }

  /** Rounds of the system that was measured most often. */
  int rounds() {
    return rows.stream().mapToInt(Row::rounds).max().orElse(1);
  }

  List<String> operations() {
    return rows.stream().map(Row::op).distinct().toList();
  }

  List<Series> rounds(String system) {
    return series.stream().filter(one -> one.system().equals(system)).toList();
  }

  /** Operations of all kinds that were due per second; empty in a closed loop. */
  List<Double> offered() {
    return series.stream()
        .map(Series::offered)
        .filter(offered -> !offered.isEmpty())
        .findFirst()
        .map(seconds::mean)
        .map(means -> means.stream().map(value -> Double.isNaN(value) ? 0 : value).toList())
        .orElse(List.of());
  }

  /** The p99 of an operation, a line per system, bad seconds marked. */
  List<Line> latencies(String op) {
    List<Line> lines = new ArrayList<>();
    for (String system : systems) {
      List<OpSeries> rounds =
          rounds(system).stream()
              .map(round -> round.ops().get(op))
              .filter(one -> one != null)
              .toList();
      if (!rounds.isEmpty()) {
        lines.add(
            Line.over(
                system,
                color(system),
                rounds.stream().map(round -> seconds.worst(round.p99())).toList(),
                bad(rounds)));
      }
    }
    return lines;
  }

  /** Per bucket, whether a second of any round in it was bad. */
  private List<Boolean> bad(List<OpSeries> rounds) {
    List<Boolean> bad = new ArrayList<>(Collections.nCopies(seconds.buckets(), false));
    for (OpSeries round : rounds) {
      List<Boolean> perSecond = BadSeconds.of(round.p99());
      for (int second = 0; second < perSecond.size(); second++) {
        if (perSecond.get(second)) {
          bad.set(second / seconds.perBucket(), true);
        }
      }
    }
    return bad;
  }

  /** Operations of all kinds that were answered, a line per system. */
  List<Line> rates() {
    List<Line> lines = new ArrayList<>();
    List<Boolean> unmarked = Collections.nCopies(seconds.buckets(), false);
    for (String system : systems) {
      List<List<Double>> rounds =
          rounds(system).stream()
              .map(
                  round ->
                      seconds.mean(
                          sum(round.ops().values().stream().map(OpSeries::finished).toList())))
              .toList();
      if (!rounds.isEmpty()) {
        lines.add(Line.over(system, color(system), rounds, unmarked));
      }
    }
    return lines;
  }

  private static List<Double> sum(List<List<Double>> lists) {
    int length = lists.stream().mapToInt(List::size).max().orElse(0);
    List<Double> sums = new ArrayList<>(Collections.nCopies(length, 0.0));
    for (List<Double> list : lists) {
      for (int i = 0; i < list.size(); i++) {
        sums.set(i, sums.get(i) + list.get(i));
      }
    }
    return sums;
  }

  /** The worst operation of the worst round in each bucket, for a system; bad seconds marked. */
  Line worst(String system) {
    List<Double> value = new ArrayList<>(Collections.nCopies(seconds.buckets(), Double.NaN));
    List<Boolean> marks = new ArrayList<>(Collections.nCopies(seconds.buckets(), false));
    for (String op : operations()) {
      for (Line line : latencies(op)) {
        if (line.system().equals(system)) {
          for (int i = 0; i < value.size(); i++) {
            value.set(i, Seconds.larger(value.get(i), line.max().get(i)));
            marks.set(i, marks.get(i) || line.marks().get(i));
          }
        }
      }
    }
    return new Line(system, color(system), value, value, value, marks);
  }

  /** The row of a system whose figure is the largest among its operations. */
  Row worstRow(String system, Function<Row, Double> figure) {
    Row worst = null;
    for (Row row : rows) {
      if (row.system().equals(system)
          && (worst == null || figure.apply(row) > figure.apply(worst))) {
        worst = row;
      }
    }
    if (worst == null) {
      throw new IllegalArgumentException(system + " has no row under " + workload);
    }
    return worst;
  }
}
