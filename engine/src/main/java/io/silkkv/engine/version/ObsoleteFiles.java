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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files that no version names any more. They are deleted by a background job and never by the
 * thread that lets go of them, because removing a large file can take long. What is not deleted
 * when the engine closes is an orphan that the next start removes. Thread-safe; its lock is a leaf.
 */
public final class ObsoleteFiles {
  private static final Logger LOG = LoggerFactory.getLogger(ObsoleteFiles.class);

  private record Dead(Path file, long bytes, Runnable closer) {}

  private final FileSystem files;
  private final Runnable deletionWanted;
  private final AtomicLong bytes = new AtomicLong();
  private final Object lock = new Object();

  /** Bounded by the number of files on disk. */
  @GuardedBy("lock")
  private final Queue<Dead> dead = new ArrayDeque<>();

  @GuardedBy("lock")
  private boolean closed;

  /**
   * @param deletionWanted asks for a call of {@link #deletePending} soon, from another thread
   */
  public ObsoleteFiles(FileSystem files, Runnable deletionWanted) {
    this.files = files;
    this.deletionWanted = deletionWanted;
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
      }
    }
    if (late) {
      close(file, closer);
    } else {
      deletionWanted.run();
    }
  }

  /** Deletes what is due. The caller holds no lock. */
  public void deletePending() {
    for (Dead next = poll(); next != null; next = poll()) {
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

  private @Nullable Dead poll() {
    synchronized (lock) {
      return dead.poll();
    }
  }
}
