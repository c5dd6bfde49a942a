package io.silkkv.ops.bench.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Columns of text for a terminal: names to the left, figures to the right, two spaces between them.
 * What does not fit side by side goes on below, with the names again, so that a narrow terminal
 * breaks no line in the middle of a number.
 */
final class TextTable {
  private static final String GAP = "  ";

  private final int names;
  private final List<Column> columns;
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * @param left whether the column's text starts at the left
   */
  record Column(String title, boolean left) {}

  /**
   * @param names how many columns from the left name the row
   */
  TextTable(int names, List<Column> columns) {
    this.names = names;
    this.columns = List.copyOf(columns);
  }

  /** One cell per column. */
  void row(List<String> cells) {
    if (cells.size() != columns.size()) {
      throw new IllegalArgumentException(cells.size() + " cells for " + columns.size());
    }
    rows.add(List.copyOf(cells));
  }

  /** The table in lines of at most {@code width} characters, or of one figure where none fits. */
  String text(int width) {
    int[] widths = new int[columns.size()];
    int nameWidth = 0;
    for (int i = 0; i < widths.length; i++) {
      widths[i] = columnWidth(i);
      nameWidth += i < names ? widths[i] + GAP.length() : 0;
    }
    StringBuilder text = new StringBuilder();
    for (int from = names; from < widths.length; ) {
      int to = from;
      int used = nameWidth - GAP.length();
      while (to < widths.length && (to == from || used + GAP.length() + widths[to] <= width)) {
        used += GAP.length() + widths[to];
        to++;
      }
      text.append(from == names ? "" : "\n");
      part(text, widths, from, to);
      from = to;
    }
    return text.toString();
  }

  private int columnWidth(int column) {
    int width = columns.get(column).title().length();
    for (List<String> row : rows) {
      width = Math.max(width, row.get(column).length());
    }
    return width;
  }

  /** The names and the columns from {@code from} to before {@code to}. */
  private void part(StringBuilder text, int[] widths, int from, int to) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(columns.stream().map(Column::title).toList());
    lines.addAll(rows);
    for (List<String> cells : lines) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < to; i++) {
        if (i < names || i >= from) {
          String blanks = " ".repeat(widths[i] - cells.get(i).length());
          line.append(i == 0 ? "" : GAP);
          line.append(columns.get(i).left() ? cells.get(i) + blanks : blanks + cells.get(i));
        }
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
  }
}
