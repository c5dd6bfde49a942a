package io.silkkv.ops.base;

import java.util.ArrayList;
import java.util.List;

/** Text in columns: each as wide as its widest cell, two spaces between them. */
public final class Table {
  private final List<List<String>> rows = new ArrayList<>();

  public Table(String... header) {
    rows.add(List.of(header));
  }

  /** Adds a row; cells become text as they print. */
  public void row(Object... cells) {
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(String.valueOf(cell));
    }
    rows.add(row);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        line.append(row.get(column))
            .append(" ".repeat(width(column) - row.get(column).length() + 2));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
