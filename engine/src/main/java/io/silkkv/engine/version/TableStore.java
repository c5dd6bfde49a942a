package io.silkkv.engine.version;

import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.api.EngineIoException;
import io.silkkv.engine.cache.BlockCache;
import io.silkkv.engine.io.FileSystem;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.ReadableFile;
import io.silkkv.engine.range.RangeDeletions;
import io.silkkv.engine.sstable.SSTableOptions;
import io.silkkv.engine.sstable.SSTableProperties;
import io.silkkv.engine.sstable.SSTableReader;
import io.silkkv.engine.sstable.SSTableWriter;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** Makes and opens the table files of one engine directory. Thread-safe. */
public final class TableStore {
  private final FileSystem files;
  private final Path directory;
  private final Function<Tier, SSTableOptions> options;
  private final BlockCache cache;
  private final ObsoleteFiles obsoleteFiles;
  private final AtomicLong tableMemory;

  /**
   * @param options layout of tables by where they are written to
   * @param tableMemory counts the memory that open tables hold, in bytes
   */
  public TableStore(
      FileSystem files,
      Path directory,
      Function<Tier, SSTableOptions> options,
      BlockCache cache,
      ObsoleteFiles obsoleteFiles,
      AtomicLong tableMemory) {
    this.files = files;
    this.directory = directory;
    this.options = options;
    this.cache = cache;
    this.obsoleteFiles = obsoleteFiles;
    this.tableMemory = tableMemory;
  }

  /** Whether a table is laid out as one that would be written to a place now. */
  public boolean fits(TableFile table, Tier tier) {
    return table.reader().properties().compression() == options.apply(tier).compression();
  }

  /** Creates a table file of a number that was never used. */
  public SSTableWriter create(long number, Tier tier, IoClass why) {
    Path path = path(number);
    try {
      return new SSTableWriter(
          files.createUncached(path, why), path.toString(), options.apply(tier));
    } catch (IOException e) {
      throw new EngineIoException("create " + path, e);
    }
  }

  /**
   * Makes the names of new tables durable. Has to come between finishing a table and the edit that
   * adds it: an edit must never name a table that a crash can take away.
   */
  public void syncNames() {
    try {
      files.syncDirectory(directory);
    } catch (IOException e) {
      throw new EngineIoException("sync directory " + directory, e);
    }
  }

  /**
   * Completes a table and opens it for reading. Its name is durable only after {@link #syncNames}.
   *
   * @param ranges range deletions that belong to it
   * @param coveredBytes size of the deeper tables that these delete
   * @param createdSeconds when its oldest data was flushed, in seconds since 1970
   * @param why class of the reads
   */
  public TableFile finish(
      long number,
      SSTableWriter writer,
      RangeDeletions ranges,
      long coveredBytes,
      long createdSeconds,
      IoClass why) {
    SSTableProperties written = writer.finish(ranges);
    return open(TableMetadata.of(number, written, createdSeconds, coveredBytes), why);
  }

  /** Gives up a table that was begun; its file goes soon. */
  public void abandon(long number, SSTableWriter writer) {
    writer.abandon();
    obsoleteFiles.add(path(number), 0, () -> {});
  }

  /** Gives up a table that was finished but that no edit names; its file goes soon. */
  public void discard(TableFile table) {
    table.markObsolete();
    table.release();
  }

  /**
   * Opens a table that the manifest names, or will.
   *
   * @param why class of the reads
   * @throws CorruptionException when the file is missing, damaged, or not the one that was written
   */
  TableFile open(TableMetadata table, IoClass why) {
    Path path = path(table.number());
    ReadableFile file;
    try {
      file = files.openUncached(path);
    } catch (NoSuchFileException e) {
      throw new CorruptionException(
          path.toString(), -1, "the manifest names this table but the file is missing");
    } catch (IOException e) {
      throw new EngineIoException("open " + path, e);
    }
    if (file.size() != table.fileBytes()) {
      close(file, path);
      throw new CorruptionException(
          path.toString(),
          -1,
          "it has " + file.size() + " bytes, the manifest says " + table.fileBytes());
    }
    SSTableReader reader = SSTableReader.open(file, path.toString(), cache.newId(), cache, why);
    return new TableFile(table, path, reader, obsoleteFiles, tableMemory);
  }

  private Path path(long number) {
    return directory.resolve(FileNames.table(number));
  }

  private static void close(ReadableFile file, Path path) {
    try {
      file.close();
    } catch (IOException e) {
      throw new EngineIoException("close " + path, e);
    }
  }
}
