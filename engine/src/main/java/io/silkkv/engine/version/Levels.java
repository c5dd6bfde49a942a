package io.silkkv.engine.version;

import io.silkkv.engine.api.Slice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

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

  /** No tables. */
  public static final Levels EMPTY = new Levels(emptyLists());

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
    return tables(level).stream().mapToLong(TableMetadata::fileBytes).sum();
  }

  /** Number of tables on all levels. */
  public int count() {
    return byLevel.stream().mapToInt(List::size).sum();
  }

  /** Tables of a level whose range meets {@code [from, to]}, in the order of that level. */
  public List<TableMetadata> overlapping(int level, Slice from, Slice to) {
    return tables(level).stream().filter(table -> table.overlaps(from, to)).toList();
  }

  /** Whether a level deeper than {@code level} may hold versions of a key. */
  public boolean mayHoldDeeper(int level, Slice key) {
    for (int deeper = level + 1; deeper < COUNT; deeper++) {
      List<TableMetadata> tables = tables(deeper);
      int at = firstEndingAtOrAfter(tables, key);
      if (at < tables.size() && tables.get(at).covers(key)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Index of the first table of a deep level that ends at or behind a key; size if there is none.
   */
  static int firstEndingAtOrAfter(List<TableMetadata> tables, Slice key) {
    int low = 0;
    int high = tables.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (tables.get(middle).largest().compareTo(key) < 0) {
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
    List<List<TableMetadata>> next = new ArrayList<>();
    byLevel.forEach(tables -> next.add(new ArrayList<>(tables)));
    for (VersionEdit.Removed removed : edit.removed()) {
      if (!next.get(removed.level()).removeIf(table -> table.number() == removed.number())) {
        throw new IllegalArgumentException(
            "table " + removed.number() + " leaves level " + removed.level() + ", where it is not");
      }
    }
    for (VersionEdit.Added added : edit.added()) {
      next.get(added.level()).add(added.table());
    }
    next.get(0).sort(NEWEST_FIRST);
    for (int level = 1; level < COUNT; level++) {
      next.get(level).sort(BY_KEY);
      checkDisjoint(level, next.get(level));
    }
    Levels result = new Levels(next);
    result.checkUnique();
    return result;
  }

  private static void checkDisjoint(int level, List<TableMetadata> tables) {
    for (int i = 1; i < tables.size(); i++) {
      TableMetadata left = tables.get(i - 1);
      TableMetadata right = tables.get(i);
      if (left.largest().compareTo(right.smallest()) >= 0) {
        throw new IllegalArgumentException(
            "tables " + left.number() + " and " + right.number() + " overlap on level " + level);
      }
    }
  }

  private void checkUnique() {
    Set<Long> seen = new HashSet<>();
    for (List<TableMetadata> tables : byLevel) {
      for (TableMetadata table : tables) {
        if (!seen.add(table.number())) {
          throw new IllegalArgumentException("table " + table.number() + " is listed twice");
        }
      }
    }
  }

  private static List<List<TableMetadata>> emptyLists() {
    List<List<TableMetadata>> lists = new ArrayList<>();
    for (int level = 0; level < COUNT; level++) {
      lists.add(List.of());
    }
    return lists;
  }
}
