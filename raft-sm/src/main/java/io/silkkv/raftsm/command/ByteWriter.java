package io.silkkv.raftsm.command;

import io.silkkv.engine.api.Slice;
import java.util.Arrays;

/**
 * Appends fixed and variable-length fields to a growing array. A varint holds 7 bits per byte,
 * lowest first; the top bit says that another byte follows. Not thread-safe.
 */
public final class ByteWriter {
  private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

  private byte[] buffer;
  private int size;

  /**
   * @param expectedBytes size that avoids growing; any value from 0 on works
   */
  public ByteWriter(int expectedBytes) {
    this.buffer = new byte[Math.max(16, expectedBytes)];
  }

  /** Bytes that {@link #varint} takes for a value. */
  public static int varintSize(long value) {
    return value == 0 ? 1 : (70 - Long.numberOfLeadingZeros(value)) / 7;
  }

  public ByteWriter u8(int value) {
    reserve(1);
    buffer[size++] = (byte) value;
    return this;
  }

  /** Four bytes, highest first. */
  public ByteWriter u32(int value) {
    reserve(4);
    for (int shift = 24; shift >= 0; shift -= 8) {
      buffer[size++] = (byte) (value >>> shift);
    }
    return this;
  }

  /** Eight bytes, highest first. */
  public ByteWriter u64(long value) {
    return u32((int) (value >>> 32)).u32((int) value);
  }

  public ByteWriter varint(long value) {
    reserve(10);
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      buffer[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    buffer[size++] = (byte) rest;
    return this;
  }

  /** A varint length, then the bytes. */
  public ByteWriter bytes(Slice bytes) {
    varint(bytes.length());
    return raw(bytes.array(), bytes.offset(), bytes.length());
  }

  /** The bytes alone. */
  public ByteWriter raw(byte[] source, int offset, int length) {
    reserve(length);
    System.arraycopy(source, offset, buffer, size, length);
    size += length;
    return this;
  }

  public int size() {
    return size;
  }

  /** The array that holds the first {@link #size()} bytes, for checksums; not a copy. */
  byte[] buffer() {
    return buffer;
  }

  /** The bytes written so far; the writer must not be used afterwards. */
  public byte[] finish() {
    return size == buffer.length ? buffer : Arrays.copyOf(buffer, size);
  }

  private void reserve(int count) {
    if (count > buffer.length - size) {
      long wanted = Math.max((long) size + count, Math.min(2L * buffer.length, LARGEST_ARRAY));
      buffer = Arrays.copyOf(buffer, Math.toIntExact(wanted));
    }
  }
}
