package io.silkkv.engine.sstable;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.LittleEndian;
import io.silkkv.engine.base.Varint;
import java.util.Arrays;

/** A byte array that grows at its end and is reused from block to block. Not thread-safe. */
final class ByteSink {
  /** Some JVMs cannot make larger arrays. */
  private static final int MAX_BYTES = Integer.MAX_VALUE - 16;

  private byte[] bytes;
  private int size;

  ByteSink(int initialBytes) {
    bytes = new byte[initialBytes];
  }

  /** The array behind; valid until the next byte is put. Only {@link #size} bytes count. */
  byte[] array() {
    return bytes;
  }

  int size() {
    return size;
  }

  void clear() {
    size = 0;
  }

  void putByte(int value) {
    reserve(1);
    bytes[size++] = (byte) value;
  }

  void putInt(int value) {
    reserve(Integer.BYTES);
    LittleEndian.putInt(bytes, size, value);
    size += Integer.BYTES;
  }

  void putLong(long value) {
    reserve(Long.BYTES);
    LittleEndian.putLong(bytes, size, value);
    size += Long.BYTES;
  }

  void putVarint(long value) {
    reserve(Varint.MAX_BYTES);
    size = Varint.write(bytes, size, value);
  }

  void put(Slice slice) {
    put(slice.array(), slice.offset(), slice.length());
  }

  void put(byte[] source, int offset, int length) {
    reserve(length);
    System.arraycopy(source, offset, bytes, size, length);
    size += length;
  }

  private void reserve(int more) {
    int needed = Math.addExact(size, more);
    if (needed > bytes.length) {
      long doubled = Math.min(MAX_BYTES, 2L * bytes.length);
      bytes = Arrays.copyOf(bytes, (int) Math.max(needed, doubled));
    }
  }
}
