package io.silkkv.ops;

import io.silkkv.ops.bench.load.Progress;
import io.silkkv.ops.bench.load.data.OpKind;
import io.silkkv.ops.bench.load.figures.SecondFigures;
import io.silkkv.ops.local.LocalCluster;
import io.silkkv.ops.local.NodeProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** One line per second of the demo's load, and what happens to the leader in between. */
final class DemoBurst implements Progress.Listener {
  private static final SecondFigures SILENCE = new SecondFigures(0, OpKind.PUT, 0, 0, 0, 0, 0, 0);

  private final PrintStream out;
  private final LocalCluster cluster;
  private final String victim;
  private final int seconds;
  private final int killAfter;
  private final int restartAfter;
  private int printed;

  DemoBurst(PrintStream out, LocalCluster cluster, String victim, int seconds) {
    this.out = out;
    this.cluster = cluster;
    this.victim = victim;
    this.seconds = seconds;
    this.killAfter = seconds / 2;
    this.restartAfter = killAfter + Math.max(2, seconds / 4);
    out.println(" second     puts/s   p50 ms   p99 ms   max ms");
  }

  @Override
  public void progress(Progress now) {
    Map<Integer, SecondFigures> known = new TreeMap<>();
    now.seconds().forEach(figures -> known.put(figures.second(), figures));
    int over = Math.min(seconds, (int) now.elapsedSeconds());
    for (; printed < over; printed++) {
      // A second in which nothing was answered has no figures.
      print(known.getOrDefault(printed, SILENCE), event(printed + 1));
    }
  }

  private String event(int second) {
    NodeProcess node = cluster.node(victim);
    try {
      if (second == killAfter) {
        node.kill();
        return "  <- " + victim + " killed with -9";
      }
      if (second == restartAfter) {
        node.start(List.of());
        return "  <- " + victim + " started again";
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return "";
  }

  private void print(SecondFigures figures, String event) {
    out.printf(
        Locale.ROOT,
        "%7d %,10d %8.1f %8.1f %8.1f%s%n",
        printed + 1,
        figures.finished(),
        figures.p50() / 1e6,
        figures.p99() / 1e6,
        figures.max() / 1e6,
        event);
  }
}
