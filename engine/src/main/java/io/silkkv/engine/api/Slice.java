package io.silkkv.engine.api;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * An immutable view of a range of a byte array; the currency for keys and values. Nothing is copied
 * when a slice is made, so the owner of the array must not change it while the slice is in use.
 * Order is unsigned lexicographic. Thread-safe.
 */
public final class Slice implements Comparable<Slice> {
  public static final Slice EMPTY = new Slice(new byte[0], 0, 0);

  private final byte[] array;
  private final int offset;
  private final int length;

  private Slice(byte[] array, int offset, int length) {
    this.array = array;
    this.offset = offset;
    this.length = length;
  }

  /** Views the whole array. */
  public static Slice wrap(byte[] array) {
    return new Slice(array, 0, array.length);
  }

  /** Views {@code length} bytes from {@code offset}; throws when the range leaves the array. */
  public static Slice wrap(byte[] array, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, array.length);
    return new Slice(array, offset, length);
  }

  /** Copies the remaining bytes of a buffer, whose position does not move. */
  public static Slice copyOf(ByteBuffer buffer) {
    byte[] copy = new byte[buffer.remaining()];
    buffer.get(buffer.position(), copy);
    return wrap(copy);
  }

  /** The UTF-8 bytes of a text. */
  public static Slice utf8(String text) {
    return wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The array behind the view; callers must not write to it. */
  public byte[] array() {
    return array;
  }

  /** Index of the first byte in {@link #array()}. */
  public int offset() {
    return offset;
  }

  /** Number of bytes. */
  public int length() {
    return length;
  }

  public boolean isEmpty() {
    return length == 0;
  }

  /** The byte at {@code index}, 0 based within the slice. */
  public byte byteAt(int index) {
    Objects.checkIndex(index, length);
    return array[offset + index];
  }

  /** A view of a part of this view. */
  public Slice slice(int from, int count) {
    Objects.checkFromIndexSize(from, count, length);
    return new Slice(array, offset + from, count);
  }

  /** A copy of the bytes. */
  public byte[] toByteArray() {
    return Arrays.copyOfRange(array, offset, offset + length);
  }

  /** A slice over its own copy: use it to keep a view whose array will be reused. */
  public Slice copy() {
    return wrap(toByteArray());
  }

  /** A buffer over the same bytes. */
  public ByteBuffer toByteBuffer() {
    return ByteBuffer.wrap(array, offset, length);
  }

  public String toUtf8() {
    return new String(array, offset, length, StandardCharsets.UTF_8);
  }

  public boolean startsWith(Slice prefix) {
    return length >= prefix.length
        && Arrays.equals(
            array,
            offset,
            offset + prefix.length,
            prefix.array,
            prefix.offset,
            prefix.offset + prefix.length);
  }

  /** Number of leading bytes that both slices share. */
  public int commonPrefixLength(Slice other) {
    int mismatch =
        Arrays.mismatch(
            array, offset, offset + length, other.array, other.offset, other.offset + other.length);
    return mismatch < 0 ? length : mismatch;
  }

  @Override
  public int compareTo(Slice other) {
    return Arrays.compareUnsigned(
        array, offset, offset + length, other.array, other.offset, other.offset + other.length);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Slice that
        && Arrays.equals(
            array, offset, offset + length, that.array, that.offset, that.offset + that.length);
  }

  @Override
  public int hashCode() {
    int hash = 1;
    for (int i = offset; i < offset + length; i++) {
      hash = 31 * hash + array[i];
    }
    return hash;
  }

  /** Printable ASCII as it is, every other byte as {@code \xNN}; for messages. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(length + 8);
    for (int i = offset; i < offset + length; i++) {
      int b = array[i] & 0xff;
      if (b >= 0x20 && b < 0x7f && b != '\\') {
        text.append((char) b);
      } else {
        text.append("\\x")
            .append(Character.forDigit(b >> 4, 16))
            .append(Character.forDigit(b & 15, 16));
      }
    }
    return text.toString();
  }
}
