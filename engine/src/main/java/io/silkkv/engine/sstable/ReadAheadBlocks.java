package io.silkkv.engine.sstable;

import io.silkkv.engine.io.IoClass;

/**
 * Blocks in file order, many per read, past the cache: for compactions and checks, which read all
 * of a file once and would only push out what clients need.
 */
final class ReadAheadBlocks implements BlockSource {
  /** Bytes per read; a multiple of the scheduler's 128 KiB grants. */
  private static final int WINDOW_BYTES = 256 << 10;

  /** Bytes that a disk moves at least, or a multiple. */
  private static final int ALIGNMENT = 4 << 10;

  private final BlockFile file;
  private final long dataEnd;
  private final IoClass why;

  private byte[] unpacked = {};
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
    byte code = file.check(window, start, handle);
    if (code == SSTableFormat.RAW) {
      target.open(window, start, handle.length(), handle.offset());
      return;
    }
    int rawLength = file.rawLength(code, window, start, handle);
    if (unpacked.length < rawLength) {
      unpacked = new byte[rawLength];
    }
    file.unpack(code, window, start, handle, unpacked, rawLength);
    target.open(unpacked, 0, rawLength, handle.offset());
  }

  /**
   * Takes over what the window has of the block and reads on from the window's end, which for
   * whoever reads in order is a whole number of requests behind the last read's end.
   */
  private void fill(BlockHandle handle) {
    long windowEnd = windowOffset + windowLength;
    boolean goesOn = handle.offset() >= windowOffset && handle.offset() <= windowEnd;
    int kept = goesOn ? (int) (windowEnd - handle.offset()) : 0;
    long from = handle.offset() + kept;
    long upTo = Math.max(handle.end(), Math.min(dataEnd, requestEnd(from)));
    int length = (int) (upTo - handle.offset());
    byte[] target = window.length < length ? new byte[length] : window;
    System.arraycopy(window, windowLength - kept, target, 0, kept);
    windowLength = 0;
    window = target;
    file.read(from, window, kept, length - kept, why);
    windowOffset = handle.offset();
    windowLength = length;
  }

  /** Where a read of about a window ends, so that the next begins at a whole block of the disk. */
  private static long requestEnd(long from) {
    return (from & -ALIGNMENT) + WINDOW_BYTES;
  }
}
