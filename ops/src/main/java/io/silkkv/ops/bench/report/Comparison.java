package io.silkkv.ops.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Two reports side by side: for every figure that both have, new over old, and what that is worth.
 * Single rounds have no range; then the note says that one round decides nothing.
 */
public final class Comparison {
  private static final List<Metric> SHOWN =
      Stream.of(Metric.values()).filter(m -> m.better() != Metric.Better.NEITHER).toList();

  private Comparison() {}

  /**
   * The comparison as text.
   *
   * @param width characters per line, when that is possible
   */
  public static String text(RunReport old, RunReport now, int width) {
    StringBuilder text = new StringBuilder();
    text.append("old: ").append(old.command()).append("  (").append(old.started()).append(")\n");
    text.append("new: ").append(now.command()).append("  (").append(now.started()).append(")\n");
    differences(old, now).forEach(line -> text.append("note: ").append(line).append('\n'));
    for (Row row : now.rows()) {
      Optional<Row> before = find(old, row);
      text.append('\n').append(name(row));
      if (before.isEmpty()) {
        text.append(": only in the new file\n");
        continue;
      }
      text.append('\n').append(table(before.get(), row).text(width));
      if (!before.get().valid() || !row.valid()) {
        text.append("INVALID: ")
            .append(before.get().valid() ? "the new run" : "the old run")
            .append(" must not be quoted\n");
      }
    }
    for (Row row : old.rows()) {
      if (find(now, row).isEmpty()) {
        text.append('\n').append(name(row)).append(": only in the old file\n");
      }
    }
    return text.toString();
  }

  private static String name(Row row) {
    return row.system() + " " + row.workload() + " " + row.op();
  }

  private static Optional<Row> find(RunReport report, Row like) {
    return report.rows().stream()
        .filter(
            row ->
                row.system().equals(like.system())
                    && row.workload().equals(like.workload())
                    && row.op().equals(like.op()))
        .findFirst();
  }

  private static TextTable table(Row old, Row now) {
    TextTable table =
        new TextTable(
            1,
            List.of(
                new TextTable.Column("figure", true),
                new TextTable.Column("old", false),
                new TextTable.Column("new", false),
                new TextTable.Column("new/old", false),
                new TextTable.Column("note", true)));
    for (Metric metric : SHOWN) {
      Figure before = old.figure(metric);
      Figure after = now.figure(metric);
      if (before.isKnown() && after.isKnown()) {
        table.row(
            List.of(
                metric.title(),
                metric.unit().text(before.value()),
                metric.unit().text(after.value()),
                ratio(before.value(), after.value()),
                note(metric, before, after, Math.min(old.rounds(), now.rounds()))));
      }
    }
    return table;
  }

  private static String ratio(double before, double after) {
    if (before == after) {
      return "1.00";
    }
    return before == 0 ? "-" : String.format(Locale.ROOT, "%.2f", after / before);
  }

  /** What the difference is worth. */
  static String note(Metric metric, Figure before, Figure after, int rounds) {
    if (before.value() == after.value()) {
      return "equal";
    }
    boolean better = (after.value() > before.value()) == (metric.better() == Metric.Better.MORE);
    String direction = better ? "better" : "worse";
    if (metric.addsUp()) {
      return direction;
    }
    if (rounds == 1) {
      return direction + " (one round: no range)";
    }
    return before.overlaps(after) ? "ranges overlap" : direction;
  }

  /** What differs between the runs apart from the systems. */
  private static List<String> differences(RunReport old, RunReport now) {
    List<String> lines = new ArrayList<>();
    MachineFacts before = old.machine();
    MachineFacts after = now.machine();
    differs(lines, "processors", String.valueOf(before.cores()), String.valueOf(after.cores()));
    differs(lines, "processor", before.cpu(), after.cpu());
    differs(lines, "kernel", before.kernel(), after.kernel());
    differs(lines, "Java", before.jdk(), after.jdk());
    differs(lines, "device", String.valueOf(before.device()), String.valueOf(after.device()));
    for (SystemFacts system : now.systems()) {
      old.systems().stream()
          .filter(one -> one.system().equals(system.system()))
          .findFirst()
          .ifPresent(
              one ->
                  one.options()
                      .forEach(
                          (name, value) ->
                              differs(
                                  lines,
                                  system.system() + " " + name,
                                  value,
                                  system.options().getOrDefault(name, "(unset)"))));
    }
    return lines;
  }

  private static void differs(List<String> lines, String what, String before, String after) {
    if (!before.equals(after)) {
      lines.add(what + " was " + before + ", is " + after);
    }
  }
}
