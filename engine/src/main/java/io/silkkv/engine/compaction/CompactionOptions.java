package io.silkkv.engine.compaction;

import io.silkkv.engine.version.Levels;
import io.silkkv.engine.version.TableMetadata;
import java.util.List;

/**
 * The shape that compactions aim at, and what they may use to get there. {@code EngineOptions} says
 * what each value means to a user and checks its range.
 *
 * @param l0Trigger number of level 0 tables from which on they are merged into the base level
 * @param levelBaseBytes size that the base level may have
 * @param levelMultiplier how much larger each level may be than the one above
 * @param levelMultipliers exceptions from it: element i is for level i + 2 relative to level i + 1;
 *     0 and what is missing mean the rule
 * @param targetFileBytes size at which an output table is closed
 * @param maxJobBytes size of the inputs beyond which a job takes no more tables than it must
 * @param maxL0Jobs jobs on level 0 at a time
 * @param maxDeepJobs jobs between deeper levels at a time
 * @param tombstonePercent share of deletions, or of bytes that range deletions cover, from which on
 *     a table is compacted for them alone
 * @param fileTtlSeconds age of its oldest data at which a table moves down; 0 for never
 */
public record CompactionOptions(
    int l0Trigger,
    long levelBaseBytes,
    int levelMultiplier,
    List<Integer> levelMultipliers,
    long targetFileBytes,
    long maxJobBytes,
    int maxL0Jobs,
    int maxDeepJobs,
    int tombstonePercent,
    long fileTtlSeconds) {

  /** How many bytes of the level below an output table may meet, in table sizes. */
  private static final int MAX_GRANDPARENT_TABLES = 10;

  public CompactionOptions {
    levelMultipliers = List.copyOf(levelMultipliers);
  }

  /** How much larger a level may be than the one above it. */
  int multiplier(int level) {
    int at = level - 2;
    int exception = at >= 0 && at < levelMultipliers.size() ? levelMultipliers.get(at) : 0;
    return exception == 0 ? levelMultiplier : exception;
  }

  /** Bytes of the level below its own that an output table should not exceed in its range. */
  long maxGrandparentBytes() {
    return MAX_GRANDPARENT_TABLES * targetFileBytes;
  }

  /**
   * Whether a table deletes so much that it is worth a compaction of its own: by the share of
   * deletions among its entries, or by what its range deletions cover, in relation to its size.
   */
  boolean isDense(TableMetadata table) {
    boolean points =
        table.deletions() > 0
            && table.deletions() * 100.0 >= (double) table.entries() * tombstonePercent;
    long covered = table.ranges().coveredBytes();
    return points
        || (covered > 0 && covered * 100.0 >= (double) table.fileBytes() * tombstonePercent);
  }

  /** Levels that have a level below. */
  static boolean hasNext(int level) {
    return level < Levels.LAST;
  }
}
