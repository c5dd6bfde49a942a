package io.silkkv.engine;

import io.silkkv.engine.api.EngineStats;
import io.silkkv.engine.compaction.LevelTargets;
import io.silkkv.engine.version.Levels;
import io.silkkv.engine.version.TableMetadata;

/** What the statistics say about a level. */
final class LevelFigures {
  private LevelFigures() {}

  static EngineStats.Level of(Levels levels, LevelTargets targets, int level) {
    long entries = 0;
    long deletions = 0;
    long rawBytes = 0;
    for (TableMetadata table : levels.tables(level)) {
      entries += table.entries();
      deletions += table.deletions();
      rawBytes += table.rawBytes();
    }
    return new EngineStats.Level(
        level,
        levels.tables(level).size(),
        levels.bytes(level),
        level == 0 || level == Levels.LAST ? 0 : (long) targets.bytes(level),
        entries,
        deletions,
        rawBytes);
  }
}
