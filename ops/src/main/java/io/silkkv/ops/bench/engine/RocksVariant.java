package io.silkkv.ops.bench.engine;

/** The ways in which RocksDB is measured. */
enum RocksVariant {
  /** Its own defaults, but for what all systems are given alike. */
  DEFAULTS,
  /**
   * As SILK's authors ran it: two memtables, limits on level 0 that are never reached, four
   * background threads.
   */
  PAPER,
  /** Its rate limiter with a fixed rate. */
  FIXED,
  /** Its rate limiter, auto-tuned up to what the device carries. */
  AUTO,
  /** Nothing is flushed or compacted in the measured phase: the memtable just grows. */
  NO_COMPACTION
}
