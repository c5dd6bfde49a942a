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

  /** The value of an index entry. */
  Slice encode() {
    byte[] bytes = new byte[2 * Varint.MAX_BYTES];
    int end = Varint.write(bytes, 0, offset);
    end = Varint.write(bytes, end, length);
    return Slice.wrap(Arrays.copyOf(bytes, end));
  }

  /**
   * @throws IllegalArgumentException when the bytes are no handle
   */
  static BlockHandle decode(Slice encoded) {
    ByteBuffer bytes = encoded.toByteBuffer();
    long offset = Varint.read(bytes);
    int length = Varint.readInt(bytes);
    if (offset < 0 || length > MAX_LENGTH || bytes.hasRemaining()) {
      throw new IllegalArgumentException("not a block handle: " + encoded);
    }
    return new BlockHandle(offset, length);
  }
}
