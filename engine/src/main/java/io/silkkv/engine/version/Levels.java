package io.silkkv.engine.version;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.range.RangeDeletions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The shape of the tree: which tables are on which level. Level 0 holds tables as they were
 * flushed, newest first; their key ranges may overlap. On every deeper level the tables are ordered
 * by key, do not overlap, and all versions of a user key are in one table. Whatever a level holds
 * for a key is newer than what deeper levels hold for it. A pure value.
 *
 * @param byLevel tables per level, {@link #COUNT} lists
 */
public record Levels(List<List<TableMetadata>> byLevel) {
  /** Number of levels, fixed. */
  public static final int COUNT = 7;

  /** The deepest level, which has no limit. */
  public static final int LAST = COUNT - 1;

  /** No tables. */
  public static final Levels EMPTY = new Levels(Collections.nCopies(COUNT, List.of()));

  private static final Comparator<TableMetadata> NEWEST_FIRST =
      Comparator.comparingLong(TableMetadata::largestSequence)
          .thenComparingLong(TableMetadata::number)
          .reversed();
  private static final Comparator<TableMetadata> BY_KEY =
      Comparator.comparing(TableMetadata::smallest);

  public Levels {
    byLevel = byLevel.stream().map(List::copyOf).toList();
    if (byLevel.size() != COUNT) {
      throw new IllegalArgumentException("a tree has " + COUNT + " levels, not " + byLevel.size());
    }
  }

  /** Tables of a level, in the order of that level. */
  public List<TableMetadata> tables(int level) {
    return byLevel.get(level);
  }

  /** Size of a level on disk. */
  public long bytes(int level) {
    return bytes(tables(level));
  }

  /** Size of tables on disk. */
  public static long bytes(List<TableMetadata> tables) {
    long sum = 0;
    for (TableMetadata table : tables) {
      sum += table.fileBytes();
    }
    return sum;
  }

  /** Number of tables on all levels. */
  public int count() {
    return byLevel.stream().mapToInt(List::size).sum();
  }

  /** Tables of a level whose range meets {@code [from, to]}, in the order of that level. */
  public List<TableMetadata> overlapping(int level, Slice from, Slice to) {
    List<TableMetadata> tables = tables(level);
    if (level == 0) {
      return tables.stream().filter(table -> table.overlaps(from, to)).toList();
    }
    int first = firstEndingAtOrAfter(tables, from);
    int end = first;
    while (end < tables.size() && tables.get(end).smallest().compareTo(to) <= 0) {
      end++;
    }
    return tables.subList(first, end);
  }

  /** Whether a level deeper than {@code level} may hold versions of a key. */
  public boolean mayHoldDeeper(int level, Slice key) {
    return mayHoldDeeper(level, key, key);
  }

  /** Whether a level deeper than {@code level} may hold keys of {@code [from, to]}. */
  public boolean mayHoldDeeper(int level, Slice from, Slice to) {
    for (int deeper = level + 1; deeper < COUNT; deeper++) {
      List<TableMetadata> tables = tables(deeper);
      int at = firstEndingAtOrAfter(tables, from);
      if (at < tables.size() && tables.get(at).overlaps(from, to)) {
        return true;
      }
    }
    return false;
  }

  /** Size of the tables deeper than a level whose keys were all deleted. */
  public long bytesCovered(int level, RangeDeletions ranges) {
    long bytes = 0;
    for (int deeper = level + 1; deeper < COUNT && !ranges.isEmpty(); deeper++) {
      for (TableMetadata table : overlapping(deeper, ranges.start(), ranges.end())) {
        bytes +=
            ranges.allDeletedAt(table.smallest(), table.largest(), 0) > 0 ? table.fileBytes() : 0;
      }
    }
    return bytes;
  }

  /**
   * Index of the first table of a deep level that ends at or behind a key; size if there is none.
   */
  public static int firstEndingAtOrAfter(List<TableMetadata> tables, Slice key) {
    int low = 0;
    int high = tables.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (tables.get(middle).endsBefore(key)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * The shape after an edit.
   *
   * @throws IllegalArgumentException when the edit does not fit this shape; says why
   */
  public Levels apply(VersionEdit edit) {
    List<List<TableMetadata>> next = new ArrayList<>(byLevel);
    for (VersionEdit.Removed removed : edit.removed()) {
      if (!touched(next, removed.level()).removeIf(table -> table.number() == removed.number())) {
        throw notThere(removed);
      }
    }
    for (VersionEdit.Added added : edit.added()) {
      long number = added.table().number();
      if (next.stream().anyMatch(tables -> lists(tables, number))) {
        throw listedTwice(number);
      }
      touched(next, added.level()).add(added.table());
    }
    for (int level = 0; level < COUNT; level++) {
      if (next.get(level) != tables(level)) {
        order(level, next.get(level));
      }
    }
    return new Levels(next);
  }

  /** The list of a level, made anew when it is still the one of this shape. */
  private List<TableMetadata> touched(List<List<TableMetadata>> next, int level) {
    if (next.get(level) == tables(level)) {
      next.set(level, new ArrayList<>(tables(level)));
    }
    return next.get(level);
  }

  private static boolean lists(List<TableMetadata> tables, long number) {
    for (TableMetadata table : tables) {
      if (table.number() == number) {
        return true;
      }
    }
    return false;
  }

  /**
   * Brings the tables of a level into its order; checks that those of a deep level are disjoint.
   */
  private static void order(int level, List<TableMetadata> tables) {
    tables.sort(level == 0 ? NEWEST_FIRST : BY_KEY);
    for (int i = 1; level > 0 && i < tables.size(); i++) {
      TableMetadata left = tables.get(i - 1);
      TableMetadata right = tables.get(i);
      if (!left.endsBefore(right.smallest())) {
        throw new IllegalArgumentException(
            "tables " + left.number() + " and " + right.number() + " overlap on level " + level);
      }
    }
  }

  private static IllegalArgumentException notThere(VersionEdit.Removed removed) {
    return new IllegalArgumentException(
        "table " + removed.number() + " leaves level " + removed.level() + ", where it is not");
  }

  private static IllegalArgumentException listedTwice(long number) {
    return new IllegalArgumentException("table " + number + " is listed twice");
  }

  /**
   * Adds the edits of a manifest up. Order and overlap are looked at once, at the end: doing so for
   * each of thousands of edits would make a start slow. Not thread-safe.
   */
  static final class Builder {
    private record Placed(int level, TableMetadata table) {}

    private final Map<Long, Placed> byNumber = new HashMap<>();

    /**
     * @throws IllegalArgumentException when the edit does not fit the ones before; says why
     */
    void apply(VersionEdit edit) {
      for (VersionEdit.Removed removed : edit.removed()) {
        Placed placed = byNumber.remove(removed.number());
        if (placed == null || placed.level != removed.level()) {
          throw notThere(removed);
        }
      }
      for (VersionEdit.Added added : edit.added()) {
        long number = added.table().number();
        if (byNumber.put(number, new Placed(added.level(), added.table())) != null) {
          throw listedTwice(number);
        }
      }
    }

    /**
     * @throws IllegalArgumentException when tables of a deep level overlap; says which
     */
    Levels build() {
      List<List<TableMetadata>> levels = new ArrayList<>();
      for (int level = 0; level < COUNT; level++) {
        levels.add(new ArrayList<>());
      }
      byNumber.values().forEach(placed -> levels.get(placed.level).add(placed.table));
      for (int level = 0; level < COUNT; level++) {
        order(level, levels.get(level));
      }
      return new Levels(levels);
    }
  }
}
