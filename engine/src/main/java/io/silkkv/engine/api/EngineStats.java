package io.silkkv.engine.api;

import java.util.List;

/**
 * Figures of one engine at one moment.
 *
 * @param levels files and bytes per level, from L0 down
 * @param memtableBytes memory held by the active and the waiting memtables
 * @param waitingMemtables memtables that are closed and not yet durable
 * @param flushes flushes completed since the engine was opened
 * @param compactions compactions completed since the engine was opened
 * @param flushedBytes bytes written by flushes since then
 * @param compactedBytes bytes written by compactions since then
 * @param openViews read views that are pinned now
 * @param obsoleteBytes bytes in files that only views or checkpoints still need
 * @param baseLevel the level that L0 is merged into; the levels between are empty
 * @param debtBytes bytes that compaction has to write until no level is due for its size; an
 *     estimate without jumps
 * @param damagedTables files with a part that cannot be read; they are not compacted
 * @param scrubbedBytes bytes verified in the background since the engine was opened
 */
public record EngineStats(
    List<Level> levels,
    long memtableBytes,
    int waitingMemtables,
    long flushes,
    long compactions,
    long flushedBytes,
    long compactedBytes,
    int openViews,
    long obsoleteBytes,
    int baseLevel,
    long debtBytes,
    int damagedTables,
    long scrubbedBytes) {

  /**
   * Bytes on disk, those in files that only readers still need included, for each byte of keys and
   * values before compression that is alive. An estimate: the deepest level that holds anything has
   * one version of each key, and what lies above is taken for newer versions of the same keys. NaN
   * while nothing is on disk.
   */
  public double spaceAmplification() {
    long disk = obsoleteBytes;
    long alive = 0;
    for (Level level : levels) {
      disk += level.bytes();
      alive = level.rawBytes() > 0 ? level.rawBytes() : alive;
    }
    return alive == 0 ? Double.NaN : (double) disk / alive;
  }

  /**
   * One level.
   *
   * @param level 0 for L0
   * @param files number of files
   * @param bytes their size on disk
   * @param targetBytes size that the level may have; 0 for L0, for the last level, which may have
   *     any, and for a level that is to be emptied
   * @param entries entries in them, all versions of a key counted
   * @param deletions how many of these are deletions
   * @param rawBytes bytes of their keys and values before compression; files that an older release
   *     wrote count 0
   */
  public record Level(
      int level,
      int files,
      long bytes,
      long targetBytes,
      long entries,
      long deletions,
      long rawBytes) {}
}
