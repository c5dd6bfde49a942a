package io.silkkv.raftsm.command;

import io.silkkv.engine.api.Slice;

/**
 * Reads what {@link ByteWriter} wrote. Every method throws {@link EntryFormatException} instead of
 * leaving the array. Not thread-safe.
 */
public final class ByteReader {
  private final String what;
  private final byte[] source;
  private final int limit;
  private int position;

  /**
   * @param what the kind of bytes, for messages
   * @param source the bytes; slices that are read are views of it
   * @param limit where they end
   */
  public ByteReader(String what, byte[] source, int limit) {
    this.what = what;
    this.source = source;
    this.limit = limit;
  }

  public int remaining() {
    return limit - position;
  }

  /** Moves on without reading. */
  public void skip(int count) {
    require(count);
    position += count;
  }

  public int u8() {
    require(1);
    return source[position++] & 0xff;
  }

  public int u32() {
    require(4);
    int value = 0;
    for (int i = 0; i < 4; i++) {
      value = (value << 8) | (source[position++] & 0xff);
    }
    return value;
  }

  public long u64() {
    long high = u32();
    return (high << 32) | (u32() & 0xffff_ffffL);
  }

  /** A varint without sign: at most 63 bits. */
  public long varint() {
    long value = 0;
    for (int shift = 0; shift < 63; shift += 7) {
      int next = u8();
      value |= (long) (next & 0x7f) << shift;
      if (next < 0x80) {
        if (next == 0 && shift > 0) {
          throw corrupt("a number with superfluous bytes");
        }
        return value;
      }
    }
    throw corrupt("a number of more than 63 bits");
  }

  /** How many items follow; each takes at least {@code itemBytes}, which bounds memory. */
  public int count(int itemBytes) {
    long count = varint();
    if (count > remaining() / itemBytes) {
      throw corrupt(count + " items announced in " + remaining() + " bytes");
    }
    return (int) count;
  }

  /** A varint length, then the bytes, as a view. */
  public Slice bytes() {
    long length = varint();
    if (length > remaining()) {
      throw corrupt(length + " bytes announced, " + remaining() + " left");
    }
    Slice slice = Slice.wrap(source, position, (int) length);
    position += (int) length;
    return slice;
  }

  /**
   * Checks the version byte that the bytes begin with.
   *
   * @param newest the highest version that can be read; the lowest is 1
   */
  public void version(int newest) {
    int version = u8();
    if (version > newest) {
      throw EntryFormatException.tooNew(what, version, newest);
    }
    if (version == 0) {
      throw corrupt("format version 0");
    }
  }

  /** Checks that nothing follows. */
  public void end() {
    if (remaining() > 0) {
      throw corrupt(remaining() + " bytes too many");
    }
  }

  /** An error at the current position. */
  public EntryFormatException corrupt(String detail) {
    return EntryFormatException.corrupt(what, position, detail);
  }

  private void require(int count) {
    if (remaining() < count) {
      throw corrupt("the bytes end early");
    }
  }
}
