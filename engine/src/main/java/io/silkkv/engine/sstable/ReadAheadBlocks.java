package io.silkkv.engine.sstable;

import io.silkkv.engine.io.IoClass;

/**
 * Blocks in file order, many per read, past the cache: for compactions and checks, which read all
 * of a file once and would only push out what clients need.
 */
final class ReadAheadBlocks implements BlockSource {
  /** Bytes per read; a multiple of the scheduler's 128 KiB grants. */
  private static final int WINDOW_BYTES = 256 << 10;

  private final BlockFile file;
  private final long dataEnd;
  private final IoClass why;

  private byte[] window = {};
  private long windowOffset;
  private int windowLength;

  /**
   * @param dataEnd where the data blocks end: nothing is read from there on
   */
  ReadAheadBlocks(BlockFile file, long dataEnd, IoClass why) {
    this.file = file;
    this.dataEnd = dataEnd;
    this.why = why;
  }

  @Override
  public void load(BlockHandle handle, BlockIterator target) {
    boolean inWindow =
        handle.offset() >= windowOffset && handle.end() <= windowOffset + windowLength;
    if (!inWindow) {
      fill(handle);
    }
    int start = (int) (handle.offset() - windowOffset);
    file.check(window, start, handle);
    target.open(window, start, handle);
  }

  private void fill(BlockHandle handle) {
    int needed = handle.length() + SSTableFormat.TRAILER_BYTES;
    int length = (int) Math.max(needed, Math.min(WINDOW_BYTES, dataEnd - handle.offset()));
    windowLength = 0;
    if (window.length < length) {
      window = new byte[length];
    }
    file.read(handle.offset(), window, length, why);
    windowOffset = handle.offset();
    windowLength = length;
  }
}
