package io.silkkv.engine.version;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.iterator.InternalIterator;
import io.silkkv.engine.sstable.Found;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The tree at one moment: its shape and the open tables. Immutable but for its reference count,
 * which starts with one reference of the maker; the last release lets go of the tables.
 * Thread-safe.
 */
public final class Version {
  private final Levels levels;
  private final List<List<TableFile>> tables;
  private final AtomicInteger references = new AtomicInteger(1);

  private Version(Levels levels, List<List<TableFile>> tables) {
    this.levels = levels;
    this.tables = tables;
  }

  /** Retains the tables that the shape names; all of them must be in the map. */
  static Version of(Levels levels, Map<Long, TableFile> open) {
    List<List<TableFile>> tables = new ArrayList<>();
    for (int level = 0; level < Levels.COUNT; level++) {
      List<TableFile> files = new ArrayList<>();
      for (TableMetadata table : levels.tables(level)) {
        TableFile file = open.get(table.number());
        if (file == null) {
          throw new IllegalStateException("table " + table.number() + " is not open");
        }
        file.retain();
        files.add(file);
      }
      tables.add(List.copyOf(files));
    }
    return new Version(levels, List.copyOf(tables));
  }

  public Levels levels() {
    return levels;
  }

  /** Open tables of a level, in the order of that level. */
  public List<TableFile> tables(int level) {
    return tables.get(level);
  }

  /** The open table of a number. */
  public TableFile table(int level, long number) {
    for (TableFile file : tables(level)) {
      if (file.metadata().number() == number) {
        return file;
      }
    }
    throw new IllegalArgumentException("table " + number + " is not on level " + level);
  }

  /** The newest version of a key that is not newer than a sequence; null when there is none. */
  public @Nullable Found get(Slice key, long sequence, IoClass why) {
    for (TableFile file : tables.get(0)) {
      if (file.metadata().covers(key)) {
        Found found = file.reader().get(key, sequence, why);
        if (found != null) {
          return found;
        }
      }
    }
    for (int level = 1; level < Levels.COUNT; level++) {
      List<TableMetadata> shape = levels.tables(level);
      int at = Levels.firstEndingAtOrAfter(shape, key);
      if (at < shape.size() && shape.get(at).covers(key)) {
        Found found = tables.get(level).get(at).reader().get(key, sequence, why);
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }

  /** Iterators that together show all entries. The caller keeps this version while it uses them. */
  public List<InternalIterator> iterators(IoClass why, boolean fillCache) {
    List<InternalIterator> all = new ArrayList<>();
    for (TableFile file : tables.get(0)) {
      all.add(file.reader().iterator(why, fillCache));
    }
    for (int level = 1; level < Levels.COUNT; level++) {
      if (!tables.get(level).isEmpty()) {
        all.add(new LevelIterator(levels.tables(level), tables.get(level), why, fillCache));
      }
    }
    return all;
  }

  /** Takes a reference unless the last one is gone already. */
  public boolean tryRetain() {
    int seen = references.get();
    while (seen > 0) {
      if (references.compareAndSet(seen, seen + 1)) {
        return true;
      }
      seen = references.get();
    }
    return false;
  }

  /** Takes a reference; the caller knows that somebody holds one. */
  public void retain() {
    if (!tryRetain()) {
      throw new IllegalStateException("a version is retained after its last release");
    }
  }

  /** Gives a reference back. */
  public void release() {
    int left = references.decrementAndGet();
    if (left < 0) {
      throw new IllegalStateException("a version is released more often than retained");
    }
    if (left == 0) {
      tables.forEach(level -> level.forEach(TableFile::release));
    }
  }
}
