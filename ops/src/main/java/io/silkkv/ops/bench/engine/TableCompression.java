package io.silkkv.ops.bench.engine;

/** How all systems compress their tables. */
enum TableCompression {
  NONE,
  LZ4,
  ZSTD,
  /** Nothing on level 0 and the level that it is merged into, Zstandard at the bottom, else LZ4. */
  TIERS
}
