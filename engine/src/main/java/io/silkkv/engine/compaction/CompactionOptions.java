package io.silkkv.engine.compaction;

import io.silkkv.engine.version.Levels;

/**
 * The shape that compactions aim at.
 *
 * @param l0Trigger number of level 0 tables from which on they are merged into level 1
 * @param levelBaseBytes size that level 1 may have
 * @param levelMultiplier how much larger each level may be than the one above
 * @param targetFileBytes size at which an output table is closed
 */
public record CompactionOptions(
    int l0Trigger, long levelBaseBytes, int levelMultiplier, long targetFileBytes) {

  /** Size that a level may have; the last one may have any. */
  double targetBytes(int level) {
    return level == Levels.COUNT - 1
        ? Double.POSITIVE_INFINITY
        : levelBaseBytes * Math.pow(levelMultiplier, level - 1);
  }
}
