package io.silkkv.engine.compaction;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.ValueKind;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.iterator.InternalIterator;
import io.silkkv.engine.iterator.MergingIterator;
import io.silkkv.engine.range.RangeDeletions;
import io.silkkv.engine.sstable.SSTableWriter;
import io.silkkv.engine.version.LevelIterator;
import io.silkkv.engine.version.Levels;
import io.silkkv.engine.version.LiveSequences;
import io.silkkv.engine.version.ShadowFilter;
import io.silkkv.engine.version.TableFile;
import io.silkkv.engine.version.TableMetadata;
import io.silkkv.engine.version.TableStore;
import io.silkkv.engine.version.Tier;
import io.silkkv.engine.version.Version;
import io.silkkv.engine.version.VersionEdit;
import io.silkkv.engine.version.VersionSet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Merges the tables of a {@link Compaction} and replaces them by the result. Drops versions that no
 * reader can see, and a deletion once nobody can see what it deletes: no view reads below it, and
 * no deeper level can hold its key. The same for deletions of ranges, of which each output holds
 * the part between its first key and that of the next. A job that is stopped removes what it wrote.
 * Used once, by one thread; the caller keeps the version.
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

  /** Range deletions that the outputs have to hold, and from where on none holds them yet. */
  private RangeDeletions ranges = RangeDeletions.NONE;

  private @Nullable Slice rangesFrom;

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
    RangeDeletions all = inputRanges();
    ranges =
        ShadowFilter.visible(all, live)
            .filter((start, end, newer, sequence) -> needed(live, start, end, sequence));
    Deque<TableMetadata> below = boundariesInRanges();
    ShadowFilter shadows = new ShadowFilter(live, all);
    try (InternalIterator entries = new MergingIterator(inputs(all, live))) {
      for (entries.seekToFirst(); entries.valid(); entries.next()) {
        if (stopped.getAsBoolean()) {
          return false;
        }
        addBoundaries(below, entries.key());
        if (shadows.hides(entries.key(), entries.sequence()) || isDeadDeletion(entries, live)) {
          continue;
        }
        if (!shadows.sameKeyAsBefore()) {
          finishFullOutput(entries.key());
        }
        output().add(entries.key(), entries.sequence(), entries.kind(), entries.value());
      }
    }
    addBoundaries(below, null);
    if (writer != null || !ranges.within(rangesFrom, null).isEmpty()) {
      finishOutput(output(), null);
    }
    if (!outputs.isEmpty()) {
      store.syncNames();
    }
    return true;
  }

  private RangeDeletions inputRanges() {
    List<RangeDeletions> all = new ArrayList<>();
    open(compaction.level(), compaction.inputs()).forEach(file -> all.add(file.ranges()));
    open(compaction.outputLevel(), compaction.overlapped()).forEach(file -> all.add(file.ranges()));
    return RangeDeletions.merged(all);
  }

  /** Whether somebody may still see what a range deletion deletes outside of this job. */
  private boolean needed(LiveSequences live, Slice start, Slice end, long sequence) {
    return compaction.outputLevel() == 0
        || !live.noneBelow(sequence)
        || compaction.shape().mayHoldDeeper(compaction.outputLevel(), start, end);
  }

  /** Tables of the level below the output that begin within a range that is deleted. */
  private Deque<TableMetadata> boundariesInRanges() {
    Deque<TableMetadata> boundaries = new ArrayDeque<>();
    int level = compaction.outputLevel() + 1;
    if (compaction.outputLevel() > 0 && level < Levels.COUNT && !ranges.isEmpty()) {
      for (TableMetadata table :
          compaction.shape().overlapping(level, ranges.start(), ranges.end())) {
        if (ranges.newestOf(table.smallest(), Long.MAX_VALUE) > 0) {
          boundaries.add(table);
        }
      }
    }
    return boundaries;
  }

  /**
   * Adds a deletion where a table of the level below begins, up to a key, so that an output can end
   * there: one range may span all of that level, and an output with all of it a huge next job.
   *
   * @param before null for all that are left
   */
  private void addBoundaries(Deque<TableMetadata> below, @Nullable Slice before) {
    while (!below.isEmpty()
        && (before == null || below.getFirst().smallest().compareTo(before) < 0)) {
      Slice key = below.removeFirst().smallest();
      finishFullOutput(key);
      output().add(key, ranges.newestOf(key, Long.MAX_VALUE), ValueKind.DELETE, Slice.EMPTY);
    }
    if (before != null && !below.isEmpty() && below.getFirst().smallest().equals(before)) {
      // An entry of that key is at hand: the output can end there too.
      below.removeFirst();
    }
  }

  private List<InternalIterator> inputs(RangeDeletions all, LiveSequences live) {
    List<InternalIterator> inputs = new ArrayList<>();
    List<TableMetadata> upper =
        compaction.inputs().stream().filter(table -> !isAllDeleted(table, all, live)).toList();
    List<TableMetadata> lower =
        compaction.overlapped().stream().filter(table -> !isAllDeleted(table, all, live)).toList();
    if (compaction.level() == 0) {
      open(0, upper).forEach(file -> inputs.add(file.reader().iterator(why, false)));
    } else if (!upper.isEmpty()) {
      inputs.add(sorted(compaction.level(), upper));
    }
    if (!lower.isEmpty()) {
      inputs.add(sorted(compaction.outputLevel(), lower));
    }
    return inputs;
  }

  /** Whether range deletions hide all of a table from every reader: it need not be read then. */
  private static boolean isAllDeleted(TableMetadata table, RangeDeletions all, LiveSequences live) {
    long deleted =
        all.isEmpty()
            ? 0
            : all.allDeletedAt(table.smallest(), table.largest(), table.largestSequence());
    return deleted > 0 && live.hides(deleted, table.smallestSequence());
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

  /** Ends the output at hand before a key, if it should. */
  private void finishFullOutput(Slice next) {
    SSTableWriter current = writer;
    if (cuts.before(next, current == null ? 0 : current.estimatedSize()) && current != null) {
      finishOutput(current, next.copy());
    }
  }

  /**
   * @param next first key of the output after it; null when there is none
   */
  private void finishOutput(SSTableWriter full, @Nullable Slice next) {
    RangeDeletions own = ranges.within(rangesFrom, next);
    long covered = compaction.shape().bytesCovered(compaction.outputLevel(), own);
    outputs.add(store.finish(writerNumber, full, own, covered, createdSeconds, why));
    rangesFrom = next;
    writer = null;
  }
}
