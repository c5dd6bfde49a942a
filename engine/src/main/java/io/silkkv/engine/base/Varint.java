package io.silkkv.engine.base;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * Unsigned integers in one to ten bytes: seven bits per byte, the lowest bits first, the top bit of
 * a byte says that another follows. A negative long is written as the unsigned number with the same
 * bits and takes ten bytes.
 */
public final class Varint {
  /** Most bytes that {@link #write} uses. */
  public static final int MAX_BYTES = 10;

  private Varint() {}

  /** Bytes that {@link #write} uses for a value. */
  public static int sizeOf(long value) {
    int significantBits = Long.SIZE - Long.numberOfLeadingZeros(value | 1);
    return (significantBits + 6) / 7;
  }

  /**
   * Writes a value at {@code at}.
   *
   * @return the index after the last byte written
   */
  public static int write(byte[] target, int at, long value) {
    int index = at;
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      target[index++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    target[index++] = (byte) rest;
    return index;
  }

  /** Writes a value at the position of a buffer, which moves behind it. */
  public static void write(ByteBuffer target, long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      target.put((byte) (rest | 0x80));
      rest >>>= 7;
    }
    target.put((byte) rest);
  }

  /**
   * Reads a value at the position of a buffer, which moves behind it.
   *
   * @throws IllegalArgumentException when the buffer ends first or the value exceeds 64 bits
   */
  public static long read(ByteBuffer source) {
    long value = 0;
    try {
      for (int shift = 0; shift < Long.SIZE; shift += 7) {
        byte next = source.get();
        if (shift == 63 && (next & 0xfe) != 0) {
          break;
        }
        value |= (next & 0x7fL) << shift;
        if (next >= 0) {
          return value;
        }
      }
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("variable-length number is cut off", e);
    }
    throw new IllegalArgumentException("variable-length number exceeds 64 bits");
  }

  /**
   * Reads a length: a value that fits a non-negative int.
   *
   * @throws IllegalArgumentException as {@link #read}, or when the value is too large
   */
  public static int readInt(ByteBuffer source) {
    long value = read(source);
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "length " + Long.toUnsignedString(value) + " exceeds " + Integer.MAX_VALUE);
    }
    return (int) value;
  }

  /** Maps small numbers of either sign to small unsigned ones: 0, -1, 1, -2 to 0, 1, 2, 3. */
  public static long zigZag(long value) {
    return (value << 1) ^ (value >> 63);
  }

  /** Undoes {@link #zigZag}. */
  public static long unZigZag(long value) {
    return (value >>> 1) ^ -(value & 1);
  }
}
