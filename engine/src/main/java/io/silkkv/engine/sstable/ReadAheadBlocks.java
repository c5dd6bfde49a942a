package io.silkkv.engine.sstable;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.io.IoClass;
import java.util.Arrays;

/**
 * Blocks in file order, many per read, past the cache: for compactions and checks, which read all
 * of a file once and would only push out what clients need.
 */
final class ReadAheadBlocks implements BlockSource {
  /** Bytes per read; a multiple of the scheduler's 128 KiB grants. */
  static final int WINDOW_BYTES = 256 << 10;

  /** Bytes that a disk moves at least, or a multiple. */
  private static final int ALIGNMENT = 4 << 10;

  private final BlockFile file;
  private final long partEnd;
  private final int firstWindowBytes;
  private final IoClass why;

  private byte[] unpacked = {};
  private byte[] window = {};
  private long windowOffset;
  private int windowLength;
  private int readBytes;

  /**
   * @param partEnd where such blocks end: nothing is read from there on
   * @param firstWindowBytes size of the first read; each next one has twice that, up to the limit
   */
  ReadAheadBlocks(BlockFile file, long partEnd, int firstWindowBytes, IoClass why) {
    this.file = file;
    this.partEnd = partEnd;
    this.firstWindowBytes = firstWindowBytes;
    this.readBytes = firstWindowBytes;
    this.why = why;
  }

  /** Reads little ahead again. */
  void restart() {
    readBytes = firstWindowBytes;
  }

  @Override
  public void load(BlockHandle handle, BlockIterator target) {
    int start = provide(handle);
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

  /** The contents of a block in an array of their own. */
  Slice copy(BlockHandle handle) {
    int start = provide(handle);
    byte code = file.check(window, start, handle);
    if (code == SSTableFormat.RAW) {
      return Slice.wrap(Arrays.copyOfRange(window, start, start + handle.length()));
    }
    byte[] contents = new byte[file.rawLength(code, window, start, handle)];
    file.unpack(code, window, start, handle, contents, contents.length);
    return Slice.wrap(contents);
  }

  /** Where the block begins in the window. */
  private int provide(BlockHandle handle) {
    boolean inWindow =
        handle.offset() >= windowOffset && handle.end() <= windowOffset + windowLength;
    if (!inWindow) {
      fill(handle);
    }
    return (int) (handle.offset() - windowOffset);
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
    long upTo = Math.max(handle.end(), Math.min(partEnd, requestEnd(from)));
    int length = (int) (upTo - handle.offset());
    byte[] target = window.length < length ? new byte[length] : window;
    System.arraycopy(window, windowLength - kept, target, 0, kept);
    windowLength = 0;
    window = target;
    file.read(from, window, kept, length - kept, why);
    windowOffset = handle.offset();
    windowLength = length;
    readBytes = Math.min(WINDOW_BYTES, 2 * readBytes);
  }

  /** Where a read ends that begins there, so that the next begins at a whole block of the disk. */
  private long requestEnd(long from) {
    return (from & -ALIGNMENT) + readBytes;
  }
}
