package io.silkkv.engine.version;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.iterator.InternalIterator;
import io.silkkv.engine.range.RangeDeletions;
import io.silkkv.engine.sstable.Found;
import io.silkkv.engine.sstable.SSTableReader;
import io.silkkv.engine.sstable.TableLookup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The tree at one moment: its shape and the open tables. Immutable but for its reference count,
 * which starts with one reference of the maker; the last release lets go of the tables.
 * Thread-safe.
 */
public final class Version {
  /** Filters of more tables than this are not asked about a range: it is large anyway. */
  private static final int MOST_FILTERED_TABLES = 64;

  private final Levels levels;
  private final List<List<TableFile>> tables;
  private final AtomicInteger references = new AtomicInteger(1);
  private volatile @Nullable RangeDeletions ranges;

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
    return find(key, sequence, table -> table.get(key, sequence, why));
  }

  /** {@link #get} that reads no file; {@link Found#UNKNOWN} when it would have to. */
  public @Nullable Found probe(Slice key, long sequence) {
    return find(key, sequence, table -> table.probe(key, sequence));
  }

  /** Asks the tables that may hold a key, newest first, until one of them answers. */
  private @Nullable Found find(
      Slice key, long sequence, Function<SSTableReader, @Nullable Found> ask) {
    for (TableFile file : tables.get(0)) {
      if (file.metadata().covers(key)) {
        Found found = file.orDeleted(ask.apply(file.reader()), key, sequence);
        if (found != null) {
          return found;
        }
      }
    }
    for (int level = 1; level < Levels.COUNT; level++) {
      TableFile file = covering(level, key);
      Found found = file == null ? null : file.orDeleted(ask.apply(file.reader()), key, sequence);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** The range deletions of all tables. */
  public RangeDeletions ranges() {
    RangeDeletions known = ranges;
    if (known == null) {
      // Made by the first reader that asks; others may do the same work at the same time.
      List<RangeDeletions> all = new ArrayList<>();
      tables.forEach(level -> level.forEach(file -> all.add(file.ranges())));
      known = RangeDeletions.merged(all);
      ranges = known;
    }
    return known;
  }

  /** The table of a deep level whose range holds a key, or null. */
  private @Nullable TableFile covering(int level, Slice key) {
    List<TableMetadata> shape = levels.tables(level);
    int at = Levels.firstEndingAtOrAfter(shape, key);
    return at < shape.size() && shape.get(at).covers(key) ? tables.get(level).get(at) : null;
  }

  /**
   * {@link #get} of several keys, which share the blocks that they have in common.
   *
   * @param keys ascending
   * @param found what is known; null elements are looked up, and set when there is something
   */
  public void getAll(List<Slice> keys, @Nullable Found[] found, long sequence, IoClass why) {
    for (TableFile file : tables.get(0)) {
      TableLookup lookup = file.reader().lookup(why);
      for (int i = 0; i < found.length; i++) {
        if (found[i] == null && file.metadata().covers(keys.get(i))) {
          found[i] = file.orDeleted(lookup.find(keys.get(i), sequence), keys.get(i), sequence);
        }
      }
    }
    for (int level = 1; level < Levels.COUNT; level++) {
      TableFile last = null;
      TableLookup lookup = null;
      for (int i = 0; i < found.length; i++) {
        TableFile file = found[i] == null ? covering(level, keys.get(i)) : null;
        if (file != null) {
          lookup = file == last && lookup != null ? lookup : file.reader().lookup(why);
          last = file;
          found[i] = file.orDeleted(lookup.find(keys.get(i), sequence), keys.get(i), sequence);
        }
      }
    }
  }

  /**
   * Iterators that together show all entries of {@code [lower, upper)}, and perhaps others. Tables
   * are left out whose filter says that they have no key with the prefix of such a range. The
   * caller keeps this version while it uses them.
   *
   * @param lower null for no bound
   * @param upper null for no bound
   * @param fillCache whether blocks that are read should stay in the block cache
   */
  public List<InternalIterator> iterators(
      @Nullable Slice lower, @Nullable Slice upper, IoClass why, boolean fillCache) {
    List<InternalIterator> all = new ArrayList<>();
    for (TableFile file : meeting(0, lower, upper, why)) {
      all.add(file.reader().iterator(why, fillCache));
    }
    for (int level = 1; level < Levels.COUNT; level++) {
      List<TableFile> met = meeting(level, lower, upper, why);
      if (!met.isEmpty()) {
        List<TableMetadata> shape = met.stream().map(TableFile::metadata).toList();
        all.add(new LevelIterator(shape, met, why, fillCache));
      }
    }
    return all;
  }

  private List<TableFile> meeting(
      int level, @Nullable Slice lower, @Nullable Slice upper, IoClass why) {
    List<TableFile> met = tables.get(level);
    if (lower != null || upper != null) {
      met = met.stream().filter(file -> meets(file.metadata(), lower, upper)).toList();
    }
    return lower != null && upper != null && met.size() <= MOST_FILTERED_TABLES
        ? withPrefix(met, lower, upper, why)
        : met;
  }

  private static boolean meets(TableMetadata table, @Nullable Slice lower, @Nullable Slice upper) {
    return (lower == null || table.largest().compareTo(lower) >= 0)
        && (upper == null || table.smallest().compareTo(upper) < 0);
  }

  /** Those whose filter does not say that they have no key of the range. */
  private static List<TableFile> withPrefix(
      List<TableFile> files, Slice lower, Slice upper, IoClass why) {
    return files.stream().filter(file -> file.reader().mayHoldRange(lower, upper, why)).toList();
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
