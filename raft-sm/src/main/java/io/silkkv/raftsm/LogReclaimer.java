package io.silkkv.raftsm;

import io.silkkv.engine.io.FileSystem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frees the disk space of purged log segments away from the thread that syncs the log. Ratis
 * deletes segments on that thread, and freeing the blocks of one takes the file system some
 * milliseconds, in which no entry becomes durable. So each segment gets a second name before it is
 * purged: Ratis then only removes a name, and the space is freed here when the second one goes.
 *
 * <p>Only segments that are applied and flushed get a second name: Ratis never changes those. What
 * is left over after a crash is removed at the next start.
 *
 * <p>Thread-safe, without locks.
 */
final class LogReclaimer {
  private static final Logger LOG = LoggerFactory.getLogger(LogReclaimer.class);

  /** A closed segment: first and last index. */
  private static final Pattern SEGMENT = Pattern.compile("log_(\\d+)-(\\d+)");

  private final FileSystem files;
  private final Path log;
  private final Path garbage;

  /** Whether a task waits or runs. */
  private final AtomicBoolean underWay = new AtomicBoolean();

  /** Whether there may be second names; a hint that spares looking. */
  private volatile boolean mayHold = true;

  /**
   * @param log directory of the segments
   * @param garbage directory of the second names, on the same file system
   */
  LogReclaimer(FileSystem files, Path log, Path garbage) {
    this.files = files;
    this.log = log;
    this.garbage = garbage;
  }

  /**
   * Gives the segments that end at or before an index a second name. To be called before Ratis is
   * asked to purge up to there. A failure costs speed only.
   */
  void keepUntilPurged(long index) {
    try {
      if (!files.exists(garbage)) {
        files.createDirectories(garbage);
      }
      List<String> known = files.list(garbage);
      for (String name : files.list(log)) {
        Matcher segment = SEGMENT.matcher(name);
        if (segment.matches()
            && Long.parseLong(segment.group(2)) <= index
            && !known.contains(name)) {
          files.link(log.resolve(name), garbage.resolve(name));
        }
      }
      mayHold = true;
    } catch (IOException failure) {
      LOG.warn("purging the log in {} will be slow", log, failure);
    }
  }

  /** Frees at most one segment, on the executor. To be called now and then: that paces it. */
  void tick(Executor executor) {
    if (mayHold && underWay.compareAndSet(false, true)) {
      try {
        executor.execute(this::freeOne);
      } catch (RejectedExecutionException busy) {
        LOG.debug("freeing log segments in {} waits", garbage, busy);
        underWay.set(false);
      }
    }
  }

  private void freeOne() {
    try {
      mayHold = false;
      if (!files.exists(garbage)) {
        return;
      }
      for (String name : files.list(garbage)) {
        mayHold = true;
        if (!files.exists(log.resolve(name))) {
          files.delete(garbage.resolve(name));
          return;
        }
      }
    } catch (IOException failure) {
      // Tried again after the next flush; the disk's own alarm tells when space runs out.
      mayHold = false;
      LOG.warn("cannot free log segments in {}", garbage, failure);
    } finally {
      underWay.set(false);
    }
  }
}
