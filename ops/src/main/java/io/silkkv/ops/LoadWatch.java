package io.silkkv.ops;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.ops.base.Console;
import io.silkkv.ops.load.BulkLoader;
import io.silkkv.ops.load.LoadState;
import io.silkkv.ops.load.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a load from beside it: draws its progress and stores its state, until it is closed.
 * Thread-safe.
 */
final class LoadWatch implements AutoCloseable {
  private static final long REDRAW_MILLIS = 200;
  private static final long LINE_MILLIS = 5_000;
  private static final long SAVE_MILLIS = 1_000;

  private final Console console;
  private final BulkLoader loader;
  private final LoadState start;
  private final @Nullable Path file;
  private final ScheduledExecutorService timer;

  @GuardedBy("this")
  private final Progress progress;

  @GuardedBy("this")
  private long savedOffset;

  /**
   * @param file where the state belongs to; null when there is none
   * @param size bytes of the file, 0 when unknown
   */
  LoadWatch(Console console, BulkLoader loader, LoadState start, @Nullable Path file, long size) {
    this.console = console;
    this.loader = loader;
    this.start = start;
    this.file = file;
    this.savedOffset = start.offset();
    this.progress = new Progress(size, start.offset(), console.nanoClock().getAsLong());
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "load-watch");
              thread.setDaemon(true);
              return thread;
            });
    long drawMillis = console.interactive() ? REDRAW_MILLIS : LINE_MILLIS;
    Future<?> unusedDraw =
        timer.scheduleAtFixedRate(this::draw, drawMillis, drawMillis, TimeUnit.MILLISECONDS);
    Future<?> unusedSave =
        timer.scheduleAtFixedRate(this::save, SAVE_MILLIS, SAVE_MILLIS, TimeUnit.MILLISECONDS);
  }

  private synchronized void draw() {
    BulkLoader.Totals now = loader.acknowledged();
    String line =
        progress.line(console.nanoClock().getAsLong(), now.offset(), now.loaded() - start.loaded());
    if (console.interactive()) {
      // Back to the start of the line, and clear what a longer line has left.
      console.err().print("\r" + line + "\u001b[K");
      console.err().flush();
    } else {
      console.err().println(line);
    }
  }

  private void save() {
    try {
      saveState();
    } catch (IOException e) {
      console
          .err()
          .println(
              "cannot store how far the load came ("
                  + e
                  + "); if it stops, it starts again at line 1");
    }
  }

  /** Stores how far the load came. */
  synchronized void saveState() throws IOException {
    BulkLoader.Totals now = loader.acknowledged();
    if (file != null && now.offset() != savedOffset) {
      new LoadState(
              start.clusterId(),
              start.fingerprint(),
              now.offset(),
              now.lines(),
              now.loaded(),
              now.skipped())
          .write(file);
      savedOffset = now.offset();
    }
  }

  /** Ends the watch; the last line stays. */
  @Override
  public void close() {
    timer.shutdownNow();
    if (console.interactive()) {
      draw();
      console.err().println();
    }
  }
}
