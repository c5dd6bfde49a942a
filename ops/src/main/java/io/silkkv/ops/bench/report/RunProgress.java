package io.silkkv.ops.bench.report;

import io.silkkv.ops.bench.load.Progress;
import io.silkkv.ops.bench.load.figures.SecondFigures;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a person sees while a benchmark runs: one line that is redrawn every second, and a line that
 * stays for every bad second, soon after it happened. Where nobody watches, a line every ten
 * seconds keeps a log short. For one thread.
 */
public final class RunProgress implements Progress.Listener {
  private static final int LOG_EVERY_SECONDS = 10;
  private static final int BAR_CELLS = 20;

  /** Before that many seconds there is no median worth comparing with. */
  private static final int FIRST_SECONDS = 5;

  private final PrintStream out;
  private final boolean interactive;
  private final int width;
  private final List<Double> p99 = new ArrayList<>();
  private String what = "";
  private double totalSeconds;
  private boolean open;
  private String figures = "";
  private int lastLogged;
  private int drawn;

  /**
   * @param interactive whether a line may be redrawn
   * @param width characters per line of the terminal; see {@link ResultTable#terminalWidth}
   */
  public RunProgress(PrintStream out, boolean interactive, int width) {
    this.out = out;
    this.interactive = interactive;
    this.width = width;
  }

  /**
   * A run begins.
   *
   * @param what names it: system, workload and round
   * @param totalSeconds how long it takes when the system keeps up
   * @param open whether operations are due by a schedule
   */
  public void begin(String what, double totalSeconds, boolean open) {
    this.what = what;
    this.totalSeconds = totalSeconds;
    this.open = open;
    p99.clear();
    figures = "";
    lastLogged = 0;
    note(String.format(Locale.ROOT, "%s: %.0f s", what, totalSeconds));
  }

  @Override
  public void progress(Progress now) {
    Map<Integer, List<SecondFigures>> bySecond = new TreeMap<>();
    now.seconds()
        .forEach(
            one -> bySecond.computeIfAbsent(one.second(), unused -> new ArrayList<>()).add(one));
    bySecond.forEach(this::second);
    String line = bar(now.elapsedSeconds()) + "  " + figures;
    if (now.behindSeconds() >= 0.1) {
      line += String.format(Locale.ROOT, "  waiting for %.1f s", now.behindSeconds());
    }
    int elapsed = (int) now.elapsedSeconds();
    if (interactive) {
      draw(line.stripTrailing());
    } else if (elapsed - lastLogged >= LOG_EVERY_SECONDS) {
      lastLogged = elapsed;
      out.println(line.stripTrailing());
    }
  }

  /** A second's figures, one entry per operation, are final. */
  private void second(int second, List<SecondFigures> ops) {
    long due = 0;
    long finished = 0;
    long errors = 0;
    double worst = Double.NaN;
    double max = Double.NaN;
    for (SecondFigures op : ops) {
      due += op.count();
      finished += op.finished();
      errors += op.errors();
      if (op.count() > 0) {
        worst = Seconds.larger(worst, op.p99() / 1e3);
        max = Seconds.larger(max, op.max() / 1e3);
      }
    }
    figures =
        Unit.PER_SECOND.text((double) finished)
            + (open ? " of " + Unit.PER_SECOND.text((double) due) : "")
            + " op/s  p99 "
            + Unit.MICROS.text(worst)
            + "  max "
            + Unit.MICROS.text(max)
            + (errors > 0 ? "  " + errors + " errors" : "");
    p99.add(worst);
    boolean bad = BadSeconds.of(p99).get(p99.size() - 1);
    if ((bad && p99.size() > FIRST_SECONDS) || errors > 0) {
      note(
          String.format(
              Locale.ROOT, "  %s %d: %s", bad ? "bad second" : "second", second, figures));
    }
  }

  /** A line that stays. */
  public void note(String text) {
    erase();
    out.println(text);
  }

  /** The run ends; what is said next starts on a line of its own. */
  public void end() {
    erase();
    out.flush();
  }

  private String bar(double elapsed) {
    double share = totalSeconds <= 0 ? 0 : Math.min(1, elapsed / totalSeconds);
    int cells = (int) (BAR_CELLS * share);
    return String.format(
        Locale.ROOT,
        "%s [%s%s] %.0f/%.0f s",
        what,
        "#".repeat(cells),
        "-".repeat(BAR_CELLS - cells),
        elapsed,
        totalSeconds);
  }

  private void draw(String line) {
    // The last column is left free: a full line makes some terminals break it.
    String fitted = line.length() < width ? line : line.substring(0, Math.max(0, width - 1));
    out.print("\r" + fitted + " ".repeat(Math.max(0, drawn - fitted.length())));
    out.flush();
    drawn = fitted.length();
  }

  private void erase() {
    if (drawn > 0) {
      out.print("\r" + " ".repeat(drawn) + "\r");
      drawn = 0;
    }
  }
}
