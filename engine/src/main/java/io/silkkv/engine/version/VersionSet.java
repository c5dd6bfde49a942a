package io.silkkv.engine.version;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.engine.api.EngineClosedException;
import io.silkkv.engine.api.EngineException;
import io.silkkv.engine.api.EngineIoException;
import io.silkkv.engine.io.FileSystem;
import io.silkkv.engine.io.IoClass;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The current version and its record on disk. An edit is durable before anybody sees the version
 * that it leads to. After one failed write the set takes no more edits: what is on disk is unknown
 * until the next start reads it. Thread-safe; edits wait for each other, reads never wait.
 */
public final class VersionSet implements AutoCloseable {
  /**
   * What a crash at this moment would leave.
   *
   * @param version the tables
   * @param flushed how far they reflect the log
   */
  public record Durable(Version version, VersionEdit.Flushed flushed) {}

  private static final Logger LOG = LoggerFactory.getLogger(VersionSet.class);

  private final FileSystem files;
  private final Path directory;
  private final long rollBytes;
  private final AtomicLong nextFileNumber;
  private final ObsoleteFiles obsoleteFiles;

  /** Serializes edits; held over the manifest write, so readers and writers must not need it. */
  private final ReentrantLock editLock = new ReentrantLock();

  @GuardedBy("editLock")
  private Manifest manifest;

  /** Why there are no more edits. */
  private final AtomicReference<@Nullable EngineException> broken = new AtomicReference<>();

  /** Written under the edit lock. */
  private volatile boolean closed;

  /** Written under the edit lock. */
  private volatile Durable durable;

  VersionSet(
      FileSystem files,
      Path directory,
      long rollBytes,
      AtomicLong nextFileNumber,
      ObsoleteFiles obsoleteFiles,
      Manifest manifest,
      Durable durable) {
    this.files = files;
    this.directory = directory;
    this.rollBytes = rollBytes;
    this.nextFileNumber = nextFileNumber;
    this.obsoleteFiles = obsoleteFiles;
    this.manifest = manifest;
    this.durable = durable;
  }

  /** A number for a new file. */
  public long newFileNumber() {
    return nextFileNumber.getAndIncrement();
  }

  /** Numbers from this one on are free. */
  public long nextFileNumber() {
    return nextFileNumber.get();
  }

  /** Whether {@link #close} was called. From then on the directory may hold something else. */
  public boolean isClosed() {
    return closed;
  }

  /** The durable state; its version is not retained. */
  public Durable durable() {
    return durable;
  }

  /** The durable state with its version retained; the caller releases the version. */
  public Durable pin() {
    Durable seen = durable;
    while (!seen.version.tryRetain()) {
      if (closed) {
        throw new EngineClosedException("the engine in " + directory);
      }
      seen = durable;
    }
    return seen;
  }

  /**
   * Makes an edit durable, then current.
   *
   * @param opened the tables that the edit adds; the caller keeps its references
   * @param install publishes the new version to readers; called in the order of the edits, with the
   *     edit lock held, and must neither fail nor wait
   * @throws EngineIoException when the edit may not be durable; new and old files stay on disk,
   *     because nobody knows which of them the manifest names
   */
  public void apply(VersionEdit edit, List<TableFile> opened, Consumer<Version> install) {
    Version previous;
    Manifest retired;
    editLock.lock();
    try {
      EngineException cause = broken.get();
      if (cause != null) {
        throw cause;
      }
      if (closed) {
        throw new EngineClosedException("the engine in " + directory);
      }
      Durable before = durable;
      previous = before.version;
      Levels levels = previous.levels().apply(edit);
      VersionEdit.Flushed flushed = edit.flushed() == null ? before.flushed : edit.flushed();
      retired = write(edit, flushed, levels);
      publish(levels, flushed, opened, install);
    } finally {
      editLock.unlock();
    }
    previous.release();
    if (retired != null) {
      Manifest full = retired;
      obsoleteFiles.add(full.path(), full.size(), () -> closeRetired(full));
    }
  }

  /** The edit is on disk already: if this fails, memory no longer says what is there. */
  @GuardedBy("editLock")
  private void publish(
      Levels levels,
      VersionEdit.Flushed flushed,
      List<TableFile> opened,
      Consumer<Version> install) {
    try {
      Version previous = durable.version;
      Version next = Version.of(levels, openTables(previous, opened));
      durable = new Durable(next, flushed);
      install.accept(next);
      markObsolete(previous, next);
    } catch (RuntimeException | Error e) {
      refuse(new EngineIoException("go on with the engine in " + directory, new IOException(e)));
      throw e;
    }
  }

  /**
   * Takes no more edits. For a failure of one job that makes what others believe doubtful: an error
   * of a directory sync, for instance, is told to one caller only.
   *
   * @param cause thrown to all that come later; the first one stays
   */
  public void refuse(EngineException cause) {
    broken.compareAndSet(null, cause);
  }

  /**
   * Makes an edit durable.
   *
   * @return the manifest that is not in use any more, if the edit went to a new one
   */
  @GuardedBy("editLock")
  private @Nullable Manifest write(VersionEdit edit, VersionEdit.Flushed flushed, Levels levels) {
    Path path = manifest.path();
    try {
      // A large state must not fill a new manifest alone, or every edit would write it again.
      if (manifest.size() < Math.max(rollBytes, 2 * manifest.stateBytes())) {
        manifest.append(edit.withNextFileNumber(nextFileNumber.get()));
        return null;
      }
      path = directory.resolve(FileNames.manifest(newFileNumber()));
      return roll(path, VersionEdit.snapshot(nextFileNumber.get(), flushed, levels));
    } catch (IOException e) {
      EngineException cause = new EngineIoException("write manifest " + path, e);
      refuse(cause);
      throw cause;
    }
  }

  /** Goes over to a new manifest that starts with the whole state; returns the one before. */
  @GuardedBy("editLock")
  private Manifest roll(Path path, VersionEdit state) throws IOException {
    Manifest full = manifest;
    Manifest next = Manifest.create(files, path, state, IoClass.METADATA);
    boolean switched = false;
    try {
      CurrentFile.write(files, directory, String.valueOf(path.getFileName()), IoClass.METADATA);
      switched = true;
    } finally {
      if (!switched) {
        next.close();
      }
    }
    manifest = next;
    obsoleteFiles.leftCurrent(full.size());
    return full;
  }

  private static void closeRetired(Manifest manifest) {
    try {
      manifest.close();
    } catch (IOException e) {
      // All that mattered in it was synced long ago.
      LOG.warn("cannot close {}", manifest.path(), e);
    }
  }

  private static Map<Long, TableFile> openTables(Version previous, List<TableFile> opened) {
    Map<Long, TableFile> open = new HashMap<>();
    for (int level = 0; level < Levels.COUNT; level++) {
      previous.tables(level).forEach(file -> open.put(file.metadata().number(), file));
    }
    opened.forEach(file -> open.put(file.metadata().number(), file));
    return open;
  }

  private static void markObsolete(Version previous, Version next) {
    Map<Long, TableFile> left = openTables(previous, List.of());
    openTables(next, List.of()).keySet().forEach(left::remove);
    left.values().forEach(TableFile::markObsolete);
  }

  /** Lets go of the manifest and of the current version; takes no more edits. Idempotent. */
  @Override
  public void close() {
    editLock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      manifest.close();
    } catch (IOException e) {
      throw new EngineIoException("close manifest " + manifest.path(), e);
    } finally {
      editLock.unlock();
    }
    durable.version.release();
  }
}
