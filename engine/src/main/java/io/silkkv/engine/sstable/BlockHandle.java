package io.silkkv.engine.sstable;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.Varint;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Where a block lies.
 *
 * @param offset first byte of the block in the file
 * @param length bytes of the block without its trailer
 */
record BlockHandle(long offset, int length) {
  /** So that block and trailer fit an array. */
  static final int MAX_LENGTH = Integer.MAX_VALUE - 64;

  /** First byte behind the block and its trailer. */
  long end() {
    return offset + length + SSTableFormat.TRAILER_BYTES;
  }

  /** The same block in a file in which everything lies further behind. */
  BlockHandle shifted(long by) {
    return new BlockHandle(offset + by, length);
  }

  /** The value of an index entry. */
  Slice encode() {
    byte[] bytes = new byte[2 * Varint.MAX_BYTES];
    return Slice.wrap(Arrays.copyOf(bytes, write(bytes, 0)));
  }

  /** Writes the handle and returns where it ends. */
  int write(byte[] target, int at) {
    return Varint.write(target, Varint.write(target, at, offset), length);
  }

  /**
   * @throws IllegalArgumentException when the bytes are no handle
   */
  static BlockHandle decode(Slice encoded) {
    ByteBuffer bytes = encoded.toByteBuffer();
    BlockHandle handle = read(bytes);
    if (bytes.hasRemaining()) {
      throw new IllegalArgumentException("not a block handle: " + encoded);
    }
    return handle;
  }

  /**
   * Takes a handle from a buffer.
   *
   * @throws IllegalArgumentException when there is none
   */
  static BlockHandle read(ByteBuffer bytes) {
    long offset = Varint.read(bytes);
    int length = Varint.readInt(bytes);
    if (offset < 0 || offset > Long.MAX_VALUE / 2 || length > MAX_LENGTH) {
      throw new IllegalArgumentException("not a block handle: " + length + " bytes at " + offset);
    }
    return new BlockHandle(offset, length);
  }
}
