package io.silkkv.engine.version;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.range.RangeDeletions;
import io.silkkv.engine.sstable.SSTableProperties;

/**
 * What the manifest knows of a table file.
 *
 * @param number number in its name
 * @param fileBytes size on disk
 * @param entries number of entries
 * @param deletions how many of them are deletions
 * @param smallestSequence oldest sequence in it
 * @param largestSequence newest sequence in it
 * @param smallest first user key
 * @param largest last user key
 * @param createdSeconds when its oldest data was flushed, in seconds since 1970; 0 when unknown
 * @param rawBytes bytes of all keys and values in it, before compression; 0 when unknown
 * @param ranges its range deletions
 */
public record TableMetadata(
    long number,
    long fileBytes,
    long entries,
    long deletions,
    long smallestSequence,
    long largestSequence,
    Slice smallest,
    Slice largest,
    long createdSeconds,
    long rawBytes,
    Ranges ranges) {

  /**
   * What the range deletions of a table mean to the tree. First and last key of the table include
   * them.
   *
   * @param count how many there are
   * @param behindEnd whether the last key of the table is only the end of a range, and not in it
   * @param coveredBytes size of the deeper tables that were all deleted when the table was written
   */
  public record Ranges(long count, boolean behindEnd, long coveredBytes) {
    /** None. */
    public static final Ranges NONE = new Ranges(0, false, 0);
  }

  public TableMetadata {
    if (smallest.compareTo(largest) > 0) {
      throw new IllegalArgumentException(
          "table " + number + " starts at " + smallest + ", behind its end " + largest);
    }
  }

  /** What the manifest should know of a table with these properties. */
  public static TableMetadata of(
      long number, SSTableProperties table, long createdSeconds, long coveredBytes) {
    RangeDeletions ranges = table.ranges();
    Slice smallest = table.smallest();
    Slice largest = table.largest();
    long smallestSequence = table.smallestSequence();
    long largestSequence = table.largestSequence();
    boolean behindEnd = false;
    if (!ranges.isEmpty()) {
      smallest = ranges.start().compareTo(smallest) < 0 ? ranges.start() : smallest;
      behindEnd = ranges.end().compareTo(largest) > 0;
      largest = behindEnd ? ranges.end() : largest;
      smallestSequence = Math.min(smallestSequence, ranges.smallestSequence());
      largestSequence = Math.max(largestSequence, ranges.largestSequence());
    }
    return new TableMetadata(
        number,
        table.fileBytes(),
        table.entries(),
        table.deletions(),
        smallestSequence,
        largestSequence,
        smallest,
        largest,
        createdSeconds,
        table.rawKeyBytes() + table.rawValueBytes(),
        new Ranges(ranges.size(), behindEnd, coveredBytes));
  }

  /** Whether the table deletes anything. */
  public boolean hasDeletions() {
    return deletions > 0 || ranges.count > 0;
  }

  /** Whether all keys of this table are before a key. */
  public boolean endsBefore(Slice key) {
    int order = largest.compareTo(key);
    return order < 0 || (order == 0 && ranges.behindEnd);
  }

  /** Whether the key range of this table meets {@code [from, to]}. */
  public boolean overlaps(Slice from, Slice to) {
    return smallest.compareTo(to) <= 0 && !endsBefore(from);
  }

  /** Whether a key lies in the range of this table. */
  public boolean covers(Slice key) {
    return overlaps(key, key);
  }
}
