package io.silkkv.engine.compaction;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.version.Levels;
import io.silkkv.engine.version.TableMetadata;
import java.util.List;

/**
 * Where an output table ends: at its target size, and before it meets so much of the level below
 * that moving it on would be a huge job. A table that is more than half full also ends where one of
 * the level below ends, so that they do not meet by a few keys. Not thread-safe; asked in key
 * order.
 */
final class OutputCuts {
  private final List<TableMetadata> below;
  private final long targetBytes;
  private final long maxBelowBytes;
  private int next;
  private long metBytes;

  OutputCuts(Compaction compaction, CompactionOptions options) {
    boolean cut =
        compaction.outputLevel() > 0 && CompactionOptions.hasNext(compaction.outputLevel());
    this.below = cut ? compaction.shape().tables(compaction.outputLevel() + 1) : List.of();
    // The result of a merge within level 0 is one table: more would not help any read.
    this.targetBytes = compaction.outputLevel() == 0 ? Long.MAX_VALUE : options.targetFileBytes();
    this.maxBelowBytes = options.maxGrandparentBytes();
    this.next = Levels.firstEndingAtOrAfter(below, compaction.smallest());
  }

  /**
   * Whether the table should end before a key.
   *
   * @param bytes size of the table so far; 0 when there is none yet
   */
  boolean before(Slice key, long bytes) {
    boolean passed = false;
    while (next < below.size() && below.get(next).endsBefore(key)) {
      metBytes += bytes == 0 ? 0 : below.get(next).fileBytes();
      passed = true;
      next++;
    }
    if (bytes == 0) {
      return false;
    }
    long meets = next < below.size() ? below.get(next).fileBytes() : 0;
    boolean cut =
        bytes >= targetBytes
            || (passed && metBytes > 0 && metBytes + meets > maxBelowBytes)
            || (passed && bytes >= targetBytes / 2);
    if (cut) {
      metBytes = 0;
    }
    return cut;
  }
}
