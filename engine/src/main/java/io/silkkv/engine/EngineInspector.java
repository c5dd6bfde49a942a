package io.silkkv.engine;

import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.api.EngineException;
import io.silkkv.engine.api.EngineStats;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.ValueKind;
import io.silkkv.engine.cache.BlockCache;
import io.silkkv.engine.compaction.LevelTargets;
import io.silkkv.engine.io.FileSystem;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.IoCounters;
import io.silkkv.engine.io.LocalFileSystem;
import io.silkkv.engine.iterator.InternalIterator;
import io.silkkv.engine.range.RangeDeletion;
import io.silkkv.engine.sstable.SSTableProperties;
import io.silkkv.engine.sstable.SSTableReader;
import io.silkkv.engine.version.FileNames;
import io.silkkv.engine.version.Levels;
import io.silkkv.engine.version.StoredState;
import io.silkkv.engine.version.TableMetadata;
import io.silkkv.engine.version.VersionEdit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks into the files of an engine that nobody has open: a stopped node's, or a checkpoint's.
 * Never changes anything. In the directory of an engine at work, files come and go while it looks,
 * and what it finds means nothing.
 */
public final class EngineInspector {
  private final FileSystem files;

  /**
   * A file that is not what it should be.
   *
   * @param file its name in the directory
   * @param message what is wrong
   */
  public record Problem(String file, String message) {}

  /**
   * How far a verification is.
   *
   * @param file the table that was read last
   * @param tables tables read so far
   * @param allTables tables to read
   * @param bytes bytes read so far
   * @param allBytes bytes to read
   */
  public record Progress(String file, int tables, int allTables, long bytes, long allBytes) {}

  /**
   * What a directory holds.
   *
   * @param manifest name of the manifest in use
   * @param flushed how far the tables reflect the log
   * @param attachmentBytes size of the owner's state that is stored beside it
   * @param baseLevel the level that L0 is merged into
   * @param levels figures per level, from L0 down
   */
  public record Summary(
      String manifest,
      LogPosition flushed,
      int attachmentBytes,
      int baseLevel,
      List<EngineStats.Level> levels) {
    public Summary {
      levels = List.copyOf(levels);
    }
  }

  public EngineInspector(FileSystem files) {
    this.files = files;
  }

  /** For files of this machine. */
  public static EngineInspector local() {
    return new EngineInspector(new LocalFileSystem(new IoCounters()));
  }

  /**
   * What a directory holds, as its manifest says.
   *
   * @param options decides how large levels may be
   * @throws CorruptionException when the manifest cannot be read
   */
  public Summary summary(Path directory, EngineOptions options) throws IOException {
    StoredState state = StoredState.read(files, directory);
    LevelTargets targets = LevelTargets.of(state.levels(), options.compaction());
    List<EngineStats.Level> levels = new ArrayList<>();
    for (int level = 0; level < Levels.COUNT; level++) {
      levels.add(LevelFigures.of(state.levels(), targets, level));
    }
    return new Summary(
        state.manifest(),
        state.flushed().position(),
        state.flushed().attachment().length(),
        targets.baseLevel(),
        levels);
  }

  /**
   * Reads every byte of every table that the manifest names, and compares both.
   *
   * @param progress told after each table
   * @return what is wrong; empty when all is well
   */
  public List<Problem> verify(Path directory, Consumer<Progress> progress) throws IOException {
    StoredState state;
    try {
      state = StoredState.read(files, directory);
    } catch (EngineException e) {
      return List.of(new Problem(FileNames.CURRENT, String.valueOf(e.getMessage())));
    }
    List<Problem> problems = new ArrayList<>();
    List<TableMetadata> tables = new ArrayList<>();
    state.levels().byLevel().forEach(tables::addAll);
    long allBytes = Levels.bytes(tables);
    long bytes = 0;
    for (int i = 0; i < tables.size(); i++) {
      TableMetadata table = tables.get(i);
      String name = FileNames.table(table.number());
      try {
        verify(directory.resolve(name), table);
      } catch (EngineException e) {
        problems.add(new Problem(name, String.valueOf(e.getMessage())));
      } catch (IOException e) {
        problems.add(new Problem(name, "it cannot be read: " + e));
      }
      bytes += table.fileBytes();
      progress.accept(new Progress(name, i + 1, tables.size(), bytes, allBytes));
    }
    return List.copyOf(problems);
  }

  private void verify(Path path, TableMetadata expected) throws IOException {
    if (!files.exists(path)) {
      throw new CorruptionException(
          path.toString(), -1, "the manifest names this table but the file is missing");
    }
    try (SSTableReader reader = open(path)) {
      TableMetadata found =
          TableMetadata.of(
              expected.number(),
              reader.properties(),
              expected.createdSeconds(),
              expected.ranges().coveredBytes());
      boolean same =
          found.fileBytes() == expected.fileBytes()
              && found.entries() == expected.entries()
              && found.deletions() == expected.deletions()
              && found.smallestSequence() == expected.smallestSequence()
              && found.largestSequence() == expected.largestSequence()
              && found.smallest().equals(expected.smallest())
              && found.largest().equals(expected.largest())
              && found.ranges().equals(expected.ranges());
      if (!same) {
        throw new CorruptionException(
            path.toString(), -1, "it holds " + found + ", the manifest says " + expected);
      }
      reader.verify(() -> false);
    }
  }

  private SSTableReader open(Path path) throws IOException {
    BlockCache cache = new BlockCache(0);
    return SSTableReader.open(
        files.open(path), path.toString(), cache.newId(), cache, IoClass.SCRUB);
  }

  /**
   * Writes what a table holds: its properties, then its entries.
   *
   * @param limit most entries to write
   */
  public void dumpTable(Path table, long limit, Consumer<String> lines) throws IOException {
    try (SSTableReader reader = open(table);
        InternalIterator entries = reader.iterator(IoClass.SCRUB, false)) {
      SSTableProperties properties = reader.properties();
      lines.accept("file bytes        " + properties.fileBytes());
      lines.accept("entries           " + properties.entries());
      lines.accept("deletions         " + properties.deletions());
      lines.accept("key bytes         " + properties.rawKeyBytes());
      lines.accept("value bytes       " + properties.rawValueBytes());
      lines.accept(
          "sequences         "
              + properties.smallestSequence()
              + " to "
              + properties.largestSequence());
      lines.accept("smallest key      " + text(properties.smallest()));
      lines.accept("largest key       " + text(properties.largest()));
      for (RangeDeletion range : properties.ranges().deletions()) {
        lines.accept(
            text(range.start())
                + " to "
                + text(range.end())
                + " @"
                + range.sequence()
                + " DELETE RANGE");
      }
      long written = 0;
      for (entries.seekToFirst(); entries.valid() && written < limit; entries.next()) {
        String value =
            entries.kind() == ValueKind.DELETE ? "" : " " + entries.value().length() + " bytes";
        lines.accept(
            text(entries.key()) + " @" + entries.sequence() + " " + entries.kind() + value);
        written++;
      }
    }
  }

  /** Writes the edits of a manifest, one line for each part of an edit. */
  public void dumpManifest(Path manifest, Consumer<String> lines) throws IOException {
    boolean torn =
        StoredState.readEdits(files, manifest, (offset, edit) -> dump(offset, edit, lines));
    if (torn) {
      lines.accept("the file ends within an edit that was never made durable");
    }
  }

  private static void dump(long offset, VersionEdit edit, Consumer<String> lines) {
    lines.accept("edit at " + offset + ", next file " + edit.nextFileNumber());
    VersionEdit.@Nullable Flushed flushed = edit.flushed();
    if (flushed != null) {
      lines.accept(
          "  flushed "
              + flushed.position()
              + ", attachment of "
              + flushed.attachment().length()
              + " bytes");
    }
    for (VersionEdit.Removed removed : edit.removed()) {
      lines.accept("  - L" + removed.level() + " " + FileNames.table(removed.number()));
    }
    for (VersionEdit.Added added : edit.added()) {
      TableMetadata table = added.table();
      lines.accept(
          "  + L"
              + added.level()
              + " "
              + FileNames.table(table.number())
              + ", "
              + table.fileBytes()
              + " bytes, "
              + table.entries()
              + " entries, "
              + table.deletions()
              + " deletions, sequences "
              + table.smallestSequence()
              + " to "
              + table.largestSequence()
              + ", keys "
              + text(table.smallest())
              + " to "
              + text(table.largest()));
    }
  }

  /** Printable ASCII as it is, all else as {@code \xNN}. */
  private static String text(Slice key) {
    StringBuilder text = new StringBuilder("\"");
    for (byte each : key.toByteArray()) {
      if (each >= ' ' && each < 0x7f && each != '"' && each != '\\') {
        text.append((char) each);
      } else {
        text.append(String.format(Locale.ROOT, "\\x%02x", each));
      }
    }
    return text.append('"').toString();
  }
}
