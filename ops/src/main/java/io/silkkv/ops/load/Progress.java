package io.silkkv.ops.load;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/**
 * The arithmetic of a progress line: rates over the last seconds, because a load that has just
 * become slow should say so, and the time that is left at that rate. Not thread-safe.
 */
public final class Progress {
  private static final long WINDOW_NANOS = 10_000_000_000L;
  private static final int BAR_CELLS = 24;

  /** How far it was at a moment. */
  private record Sample(long nanos, long bytes, long records) {}

  private final long totalBytes;
  private final Deque<Sample> window = new ArrayDeque<>();

  /**
   * @param totalBytes 0 when it is unknown
   * @param startBytes bytes that were done before
   */
  public Progress(long totalBytes, long startBytes, long startNanos) {
    this.totalBytes = totalBytes;
    window.add(new Sample(startNanos, startBytes, 0));
  }

  /** The line as of a moment. */
  public String line(long nowNanos, long bytes, long records) {
    window.addLast(new Sample(nowNanos, bytes, records));
    while (window.size() > 2 && nowNanos - window.getFirst().nanos() > WINDOW_NANOS) {
      window.removeFirst();
    }
    Sample oldest = window.getFirst();
    double seconds = Math.max(1e-3, (nowNanos - oldest.nanos()) / 1e9);
    double bytesPerSecond = (bytes - oldest.bytes()) / seconds;
    double recordsPerSecond = (records - oldest.records()) / seconds;
    StringBuilder line = new StringBuilder();
    if (totalBytes > 0) {
      double done = Math.min(1, (double) bytes / totalBytes);
      int cells = (int) Math.floor(done * BAR_CELLS);
      line.append('[')
          .append("#".repeat(cells))
          .append("-".repeat(BAR_CELLS - cells))
          .append(String.format(Locale.ROOT, "] %3d %%  ", (int) Math.floor(done * 100)));
    }
    line.append(
        String.format(
            Locale.ROOT,
            "%,d records  %,.0f/s  %.1f MiB/s",
            records,
            recordsPerSecond,
            bytesPerSecond / (1 << 20)));
    if (totalBytes > 0) {
      line.append("  ETA ").append(eta(totalBytes - bytes, bytesPerSecond));
    }
    return line.toString();
  }

  private static String eta(long bytesLeft, double bytesPerSecond) {
    if (bytesLeft <= 0) {
      return "0:00";
    }
    if (bytesPerSecond < 1) {
      return "--:--";
    }
    long seconds = (long) Math.ceil(bytesLeft / bytesPerSecond);
    return seconds < 3600
        ? String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60)
        : String.format(
            Locale.ROOT, "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
  }
}
