package io.silkkv.engine.compaction;

import io.silkkv.engine.version.Levels;
import io.silkkv.engine.version.TableMetadata;
import java.util.List;

/**
 * How many bytes compaction still has to write to bring a tree into its target shape: what is too
 * much on a level moves to the next and rewrites what it meets there, and what is then too much
 * there moves on. 0 means that no level is due for its size.
 *
 * <p>An estimate for controllers and people. It has no steps where decisions have them: each table
 * of level 0 beyond those that may wait counts by itself, and a new base level, whose target starts
 * where the old one's was, moves nothing that was not to be moved before.
 */
public final class Debt {
  private Debt() {}

  /** Bytes still to be written. */
  public static long bytes(Levels levels, LevelTargets targets, CompactionOptions options) {
    double carried = levelZeroExcess(levels.tables(0), options);
    int level = targets.baseLevel();
    double debt = 0;
    if (carried > 0) {
      debt = carried * (1 + (double) levels.bytes(level) / levels.bytes(0));
    }
    for (; level < Levels.LAST; level++) {
      double size = levels.bytes(level) + carried;
      carried = Math.max(0, size - targets.bytes(level));
      if (carried > 0) {
        debt += carried * (1 + levels.bytes(level + 1) / size);
      }
    }
    return (long) debt;
  }

  /** Bytes of the tables that are more than may wait: beyond the newest few that start no merge. */
  private static long levelZeroExcess(List<TableMetadata> newestFirst, CompactionOptions options) {
    long excess = 0;
    long waiting = 0;
    for (int i = 0; i < newestFirst.size(); i++) {
      long bytes = newestFirst.get(i).fileBytes();
      waiting += bytes;
      boolean mayWait =
          i == 0 || (i < options.l0Trigger() - 1 && waiting <= options.levelBaseBytes());
      excess += mayWait ? 0 : bytes;
    }
    return excess;
  }
}
