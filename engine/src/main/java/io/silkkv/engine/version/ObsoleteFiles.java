package io.silkkv.engine.version;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.engine.api.EngineException;
import io.silkkv.engine.io.FileSystem;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files that no version names any more. They are deleted by a background job and never by the
 * thread that lets go of them, because removing a large file can take long. Many at once keep a
 * disk busy with freeing space, so deletions are paced: so many bytes a second, and more when there
 * is so much that it would take longer than {@value #HORIZON_SECONDS} seconds. What is not deleted
 * when the engine closes is an orphan that the next start removes. Thread-safe; its lock is a leaf.
 */
public final class ObsoleteFiles {
  private static final Logger LOG = LoggerFactory.getLogger(ObsoleteFiles.class);

  private static final int HORIZON_SECONDS = 30;

  private record Dead(Path file, long bytes, Runnable closer) {}

  private final FileSystem files;
  private final LongSupplier nanoTime;
  private final long bytesPerSecond;
  private final Runnable deletionWanted;
  private final AtomicLong bytes = new AtomicLong();
  private final Object lock = new Object();

  /** Bounded by the number of files on disk. */
  @GuardedBy("lock")
  private final Queue<Dead> dead = new ArrayDeque<>();

  @GuardedBy("lock")
  private long deadBytes;

  @GuardedBy("lock")
  private double allowedBytes;

  @GuardedBy("lock")
  private long lastNanos;

  @GuardedBy("lock")
  private boolean closed;

  /**
   * @param nanoTime a clock that never goes back, in nanoseconds
   * @param bytesPerSecond pace of deletion; as much may go at once. 0 for no limit
   * @param deletionWanted asks for a call of {@link #deletePending} soon, from another thread
   */
  public ObsoleteFiles(
      FileSystem files, LongSupplier nanoTime, long bytesPerSecond, Runnable deletionWanted) {
    this.files = files;
    this.nanoTime = nanoTime;
    this.bytesPerSecond = bytesPerSecond;
    this.deletionWanted = deletionWanted;
    synchronized (lock) {
      this.allowedBytes = bytesPerSecond;
      this.lastNanos = nanoTime.getAsLong();
    }
  }

  /** Asks for another run if one has left files because of the pace. */
  public void resume() {
    boolean more;
    synchronized (lock) {
      more = !dead.isEmpty();
    }
    if (more) {
      deletionWanted.run();
    }
  }

  /** Size of the files that left the current version and are still on disk. */
  public long bytes() {
    return bytes.get();
  }

  /** A file left the current version; views or checkpoints may still need it. */
  void leftCurrent(long size) {
    bytes.addAndGet(size);
  }

  /**
   * Nobody needs the file any more.
   *
   * @param closer ends what is open for the file; called outside locks
   */
  void add(Path file, long size, Runnable closer) {
    boolean late;
    synchronized (lock) {
      late = closed;
      if (!late) {
        dead.add(new Dead(file, size, closer));
        deadBytes += size;
      }
    }
    if (late) {
      close(file, closer);
    } else {
      deletionWanted.run();
    }
  }

  /** Deletes as much as the pace allows. The caller holds no lock. */
  public void deletePending() {
    for (Dead next = pollAtPace(); next != null; next = pollAtPace()) {
      close(next.file, next.closer);
      try {
        files.delete(next.file);
      } catch (NoSuchFileException e) {
        LOG.debug("{} was already gone", next.file);
      } catch (IOException e) {
        // Space is lost until the next start, but nothing that was promised is.
        LOG.warn("cannot delete {}; the next start of the engine will", next.file, e);
      }
      bytes.addAndGet(-next.bytes);
    }
  }

  /** Deletes nothing any more: what is left is for the next start. Idempotent. */
  public void close() {
    synchronized (lock) {
      closed = true;
    }
    for (Dead next = poll(); next != null; next = poll()) {
      close(next.file, next.closer);
    }
  }

  /** A failure harms nobody: the file was only read, and nobody reads it any more. */
  private static void close(Path file, Runnable closer) {
    try {
      closer.run();
    } catch (EngineException e) {
      LOG.warn("cannot close {}", file, e);
    }
  }

  /** The next file; null when there is none, or it is not its time yet. */
  private @Nullable Dead pollAtPace() {
    synchronized (lock) {
      if (bytesPerSecond > 0) {
        long now = nanoTime.getAsLong();
        double pace = Math.max((double) bytesPerSecond, (double) deadBytes / HORIZON_SECONDS);
        allowedBytes = Math.min(pace, allowedBytes + pace * (now - lastNanos) / 1e9);
        lastNanos = now;
        if (allowedBytes <= 0) {
          return null;
        }
      }
      Dead next = dead.poll();
      if (next != null) {
        // A file larger than what is allowed is paid for by those that come after it.
        allowedBytes -= next.bytes;
        deadBytes -= next.bytes;
      }
      return next;
    }
  }

  private @Nullable Dead poll() {
    synchronized (lock) {
      return dead.poll();
    }
  }
}
