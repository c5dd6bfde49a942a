package io.silkkv.engine.compaction;

import io.silkkv.engine.base.ValueKind;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.iterator.InternalIterator;
import io.silkkv.engine.iterator.MergingIterator;
import io.silkkv.engine.sstable.SSTableWriter;
import io.silkkv.engine.version.LevelIterator;
import io.silkkv.engine.version.LiveSequences;
import io.silkkv.engine.version.ShadowFilter;
import io.silkkv.engine.version.TableFile;
import io.silkkv.engine.version.TableMetadata;
import io.silkkv.engine.version.TableStore;
import io.silkkv.engine.version.Tier;
import io.silkkv.engine.version.Version;
import io.silkkv.engine.version.VersionEdit;
import io.silkkv.engine.version.VersionSet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Merges the tables of a {@link Compaction} and replaces them by the result. Drops versions that no
 * reader can see, and a deletion once nobody can see what it deletes: no view reads below it, and
 * no deeper level can hold its key. A job that is stopped removes what it wrote. Used once, by one
 * thread; the caller keeps the version.
 */
final class CompactionJob {
  private final TableStore store;
  private final VersionSet versions;
  private final Version version;
  private final Compaction compaction;
  private final CompactionOptions options;
  private final BooleanSupplier stopped;
  private final IoClass why;
  private final OutputCuts cuts;
  private final long createdSeconds;
  private final Tier tier;

  private final List<TableFile> outputs = new ArrayList<>();
  private @Nullable SSTableWriter writer;
  private long writerNumber;

  /**
   * @param version holds all tables of the compaction, and is retained by the caller
   * @param stopped asked for every entry; the job gives up soon after it turns true
   * @param why class of its reads and writes
   */
  CompactionJob(
      TableStore store,
      VersionSet versions,
      Version version,
      Compaction compaction,
      CompactionOptions options,
      BooleanSupplier stopped,
      IoClass why) {
    this.store = store;
    this.versions = versions;
    this.version = version;
    this.compaction = compaction;
    this.options = options;
    this.stopped = stopped;
    this.why = why;
    this.cuts = new OutputCuts(compaction, options);
    this.createdSeconds =
        compaction.tables().stream()
            .mapToLong(TableMetadata::createdSeconds)
            .filter(seconds -> seconds > 0)
            .min()
            .orElse(0);
    this.tier = Tier.ofCompaction(compaction.shape(), compaction.level(), compaction.outputLevel());
  }

  /**
   * Runs the job.
   *
   * @param live views as of now
   * @param install publishes the version that holds the result
   * @return bytes written; -1 when the job was stopped, and then nothing has changed
   * @throws io.silkkv.engine.api.EngineException when an input is damaged, or a file could not be
   *     written; the outcome is unknown then
   */
  long run(LiveSequences live, Consumer<Version> install) {
    boolean move = compaction.isMove(options.maxGrandparentBytes()) && inputsFit();
    boolean merged = false;
    try {
      merged = move || merge(live);
      if (!merged) {
        return -1;
      }
      versions.apply(edit(move), outputs, install);
      return outputs.stream().mapToLong(output -> output.metadata().fileBytes()).sum();
    } finally {
      if (merged) {
        outputs.forEach(TableFile::release);
      } else {
        giveUp();
      }
    }
  }

  /** No edit names what was written, and none will. */
  private void giveUp() {
    if (writer != null) {
      store.abandon(writerNumber, writer);
    }
    outputs.forEach(store::discard);
  }

  /** A table that should be compressed otherwise where it goes is rewritten there. */
  private boolean inputsFit() {
    return open(compaction.level(), compaction.inputs()).stream()
        .allMatch(table -> store.fits(table, tier));
  }

  private VersionEdit edit(boolean move) {
    List<VersionEdit.Removed> removed = new ArrayList<>();
    for (TableMetadata input : compaction.inputs()) {
      removed.add(new VersionEdit.Removed(compaction.level(), input.number()));
    }
    for (TableMetadata overlapped : compaction.overlapped()) {
      removed.add(new VersionEdit.Removed(compaction.outputLevel(), overlapped.number()));
    }
    List<TableMetadata> result =
        move ? compaction.inputs() : outputs.stream().map(TableFile::metadata).toList();
    List<VersionEdit.Added> added =
        result.stream()
            .map(table -> new VersionEdit.Added(compaction.outputLevel(), table))
            .toList();
    return VersionEdit.replace(removed, added);
  }

  /** False when stopped. */
  private boolean merge(LiveSequences live) {
    ShadowFilter shadows = new ShadowFilter(live);
    try (InternalIterator entries = new MergingIterator(inputs())) {
      for (entries.seekToFirst(); entries.valid(); entries.next()) {
        if (stopped.getAsBoolean()) {
          return false;
        }
        if (shadows.hides(entries.key(), entries.sequence()) || isDeadDeletion(entries, live)) {
          continue;
        }
        if (!shadows.sameKeyAsBefore()) {
          finishFullOutput(entries);
        }
        output().add(entries.key(), entries.sequence(), entries.kind(), entries.value());
      }
    }
    if (writer != null) {
      finishOutput(writer);
    }
    if (!outputs.isEmpty()) {
      store.syncNames();
    }
    return true;
  }

  private List<InternalIterator> inputs() {
    List<InternalIterator> inputs = new ArrayList<>();
    if (compaction.level() == 0) {
      open(0, compaction.inputs()).forEach(file -> inputs.add(file.reader().iterator(why, false)));
    } else {
      inputs.add(sorted(compaction.level(), compaction.inputs()));
    }
    if (!compaction.overlapped().isEmpty()) {
      inputs.add(sorted(compaction.outputLevel(), compaction.overlapped()));
    }
    return inputs;
  }

  private InternalIterator sorted(int level, List<TableMetadata> tables) {
    return new LevelIterator(tables, open(level, tables), why, false);
  }

  private List<TableFile> open(int level, List<TableMetadata> tables) {
    return tables.stream().map(table -> version.table(level, table.number())).toList();
  }

  /** The older versions of its key in the inputs are hidden by it, so they go with it. */
  private boolean isDeadDeletion(InternalIterator entries, LiveSequences live) {
    // A merge within level 0 leaves older tables beside its result.
    return compaction.outputLevel() > 0
        && entries.kind() == ValueKind.DELETE
        && live.noneBelow(entries.sequence())
        && !compaction.shape().mayHoldDeeper(compaction.outputLevel(), entries.key());
  }

  private SSTableWriter output() {
    SSTableWriter current = writer;
    if (current == null) {
      writerNumber = versions.newFileNumber();
      current = store.create(writerNumber, tier, why);
      writer = current;
    }
    return current;
  }

  private void finishFullOutput(InternalIterator entries) {
    SSTableWriter current = writer;
    if (cuts.before(entries.key(), current == null ? 0 : current.estimatedSize())
        && current != null) {
      finishOutput(current);
    }
  }

  private void finishOutput(SSTableWriter full) {
    outputs.add(store.finish(writerNumber, full, createdSeconds, why));
    writer = null;
  }
}
