package io.silkkv.engine.version;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.ValueKind;
import io.silkkv.engine.range.RangeDeletions;
import io.silkkv.engine.sstable.Found;
import io.silkkv.engine.sstable.SSTableReader;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An open table file. Every version that names it holds a reference. When the last one goes, the
 * reader is closed, and a file that has left the current version is deleted: both by {@link
 * ObsoleteFiles}, so that a client's thread does not pay for it. Thread-safe.
 */
public final class TableFile {
  private final TableMetadata metadata;
  private final Path path;
  private final SSTableReader reader;
  private final ObsoleteFiles obsoleteFiles;
  private final AtomicLong tableMemory;

  /** Starts with the reference of the opener. */
  private final AtomicInteger references = new AtomicInteger(1);

  private volatile boolean obsolete;

  /**
   * @param tableMemory counts the memory that open tables hold, this one included from now on
   */
  TableFile(
      TableMetadata metadata,
      Path path,
      SSTableReader reader,
      ObsoleteFiles obsoleteFiles,
      AtomicLong tableMemory) {
    this.metadata = metadata;
    this.path = path;
    this.reader = reader;
    this.obsoleteFiles = obsoleteFiles;
    this.tableMemory = tableMemory;
    tableMemory.addAndGet(reader.memoryBytes());
  }

  public TableMetadata metadata() {
    return metadata;
  }

  public Path path() {
    return path;
  }

  public SSTableReader reader() {
    return reader;
  }

  /** Its range deletions. */
  public RangeDeletions ranges() {
    return reader.properties().ranges();
  }

  /**
   * What the table says about a key, its range deletions included.
   *
   * @param found what its entries say; null for nothing
   * @param sequence newest visible sequence
   */
  @Nullable Found orDeleted(@Nullable Found found, Slice key, long sequence) {
    long deleted = ranges().newestOf(key, sequence);
    boolean older = found == null || (!found.isUnknown() && found.sequence() < deleted);
    return deleted > 0 && older ? new Found(ValueKind.DELETE, deleted, Slice.EMPTY) : found;
  }

  void retain() {
    if (references.getAndIncrement() <= 0) {
      throw new IllegalStateException(path + " is retained after its last release");
    }
  }

  /** Gives a reference back. */
  public void release() {
    int left = references.decrementAndGet();
    if (left < 0) {
      throw new IllegalStateException(path + " is released more often than retained");
    }
    if (left == 0) {
      if (obsolete) {
        obsoleteFiles.add(path, metadata.fileBytes(), this::closeReader);
      } else {
        closeReader();
      }
    }
  }

  private void closeReader() {
    tableMemory.addAndGet(-reader.memoryBytes());
    reader.close();
  }

  /** The current version no longer names this file. */
  void markObsolete() {
    obsolete = true;
    obsoleteFiles.leftCurrent(metadata.fileBytes());
  }
}
