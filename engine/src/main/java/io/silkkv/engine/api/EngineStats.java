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
    long obsoleteBytes) {

  /**
   * One level.
   *
   * @param level 0 for L0
   * @param files number of files
   * @param bytes their size on disk
   */
  public record Level(int level, int files, long bytes) {}
}
