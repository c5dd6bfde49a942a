package io.silkkv.ops;

import io.silkkv.ops.bench.load.figures.SecondFigures;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One line per second, in order, and what happened at its end. For one thread, but {@link #note},
 * which may come from another.
 */
final class DemoTable {
  private static final double NANOS_PER_MILLI = 1e6;

  /** So long after its end a second is surely final. */
  private static final int SECONDS_TO_FINAL = 2;

  private final PrintStream out;
  private final Map<Integer, String> notes = new ConcurrentHashMap<>();
  private final Map<Integer, SecondFigures> rows = new HashMap<>();
  private int printed;

  DemoTable(PrintStream out) {
    this.out = out;
    out.println(" second     puts/s   p50 ms   p99 ms   max ms");
  }

  /**
   * Something happens now.
   *
   * @param second how many have passed
   */
  void note(int second, String text) {
    notes.put(second, text);
  }

  /** Prints the seconds that are final after so much time. */
  void seconds(List<SecondFigures> figures, double elapsedSeconds) {
    add(figures);
    print((int) elapsedSeconds - SECONDS_TO_FINAL);
  }

  /**
   * Prints the rest.
   *
   * @param seconds how many lines there are at least
   */
  void finish(List<SecondFigures> all, int seconds) {
    add(all);
    print(rows.keySet().stream().mapToInt(second -> second + 1).reduce(seconds, Math::max));
  }

  private void add(List<SecondFigures> figures) {
    figures.forEach(second -> rows.put(second.second(), second));
  }

  private void print(int until) {
    for (; printed < until; printed++) {
      @Nullable SecondFigures row = rows.get(printed);
      String note = notes.get(printed + 1);
      out.printf(
          Locale.ROOT,
          "%7d %,10d %8.1f %8.1f %8.1f%s%n",
          printed + 1,
          row == null ? 0 : row.finished(),
          row == null ? 0 : row.p50() / NANOS_PER_MILLI,
          row == null ? 0 : row.p99() / NANOS_PER_MILLI,
          row == null ? 0 : row.max() / NANOS_PER_MILLI,
          note == null ? "" : "  <- " + note);
    }
    out.flush();
  }
}
