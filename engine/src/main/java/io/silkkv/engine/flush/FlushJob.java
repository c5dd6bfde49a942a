package io.silkkv.engine.flush;

import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.iterator.InternalIterator;
import io.silkkv.engine.memtable.MemTable;
import io.silkkv.engine.range.RangeDeletions;
import io.silkkv.engine.sstable.SSTableWriter;
import io.silkkv.engine.version.LiveSequences;
import io.silkkv.engine.version.ShadowFilter;
import io.silkkv.engine.version.TableFile;
import io.silkkv.engine.version.TableStore;
import io.silkkv.engine.version.Tier;
import io.silkkv.engine.version.Version;
import io.silkkv.engine.version.VersionEdit;
import io.silkkv.engine.version.VersionSet;
import java.time.InstantSource;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes one rotation durable: writes the memtable as a table, syncs it and its name, and only then
 * the manifest edit with the position. Used once, by one thread.
 */
public final class FlushJob {
  private final TableStore store;
  private final VersionSet versions;
  private final InstantSource clock;
  private final BooleanSupplier stopped;

  /**
   * @param clock tells when the table was made
   * @param stopped asked for every entry; the job gives up soon after it turns true
   */
  public FlushJob(
      TableStore store, VersionSet versions, InstantSource clock, BooleanSupplier stopped) {
    this.store = store;
    this.versions = versions;
    this.clock = clock;
    this.stopped = stopped;
  }

  /**
   * Runs the job.
   *
   * @param live views as of now or of any moment after the memtable was closed
   * @param install publishes the version that holds the table
   * @return bytes written; -1 when the job was stopped, and then nothing has changed
   * @throws io.silkkv.engine.api.EngineException when a file could not be written; the outcome is
   *     unknown then
   */
  public long run(PendingFlush flush, LiveSequences live, Consumer<Version> install) {
    MemTable memtable = flush.memtable();
    TableFile table = null;
    if (memtable != null) {
      table = write(memtable, live);
      if (table == null) {
        return -1;
      }
    }
    try {
      if (table != null) {
        store.syncNames();
      }
      versions.apply(
          VersionEdit.flush(flush.flushed(), table == null ? null : table.metadata()),
          table == null ? List.of() : List.of(table),
          install);
      return table == null ? 0 : table.metadata().fileBytes();
    } finally {
      if (table != null) {
        table.release();
      }
    }
  }

  /** Null when stopped. */
  private @Nullable TableFile write(MemTable memtable, LiveSequences live) {
    long number = versions.newFileNumber();
    SSTableWriter writer = store.create(number, Tier.UPPER, IoClass.FLUSH);
    boolean finished = false;
    try (InternalIterator entries = memtable.iterator()) {
      RangeDeletions ranges = memtable.ranges();
      ShadowFilter shadows = new ShadowFilter(live, ranges);
      for (entries.seekToFirst(); entries.valid(); entries.next()) {
        if (stopped.getAsBoolean()) {
          return null;
        }
        if (!shadows.hides(entries.key(), entries.sequence())) {
          writer.add(entries.key(), entries.sequence(), entries.kind(), entries.value());
        }
      }
      RangeDeletions kept = ShadowFilter.visible(ranges, live);
      long covered = versions.durable().version().levels().bytesCovered(0, kept);
      long now = clock.instant().getEpochSecond();
      TableFile table = store.finish(number, writer, kept, covered, now, IoClass.FLUSH);
      finished = true;
      return table;
    } finally {
      if (!finished) {
        store.abandon(number, writer);
      }
    }
  }
}
