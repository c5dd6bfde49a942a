package io.silkkv.engine.api;

/**
 * How the blocks of a table are stored. A block that does not become smaller by an eighth is stored
 * as it is: reading it costs less then, and little space is lost.
 */
public enum Compression {
  /** As they are. */
  NONE,
  /** LZ4, fast: some 500 MB/s on one core, several times that back. */
  LZ4,
  /** Zstandard, level 3: a third of the speed of LZ4 both ways, and clearly smaller. */
  ZSTD
}
