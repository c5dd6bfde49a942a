package io.silkkv.engine.version;

import io.silkkv.engine.api.Slice;

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
    long rawBytes) {

  public TableMetadata {
    if (smallest.compareTo(largest) > 0) {
      throw new IllegalArgumentException(
          "table " + number + " starts at " + smallest + ", behind its end " + largest);
    }
  }

  /** Whether the key range of this table meets {@code [from, to]}. */
  public boolean overlaps(Slice from, Slice to) {
    return smallest.compareTo(to) <= 0 && largest.compareTo(from) >= 0;
  }

  /** Whether a key lies in the range of this table. */
  public boolean covers(Slice key) {
    return overlaps(key, key);
  }
}
