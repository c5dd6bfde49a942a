package io.silkkv.engine.sstable;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.LittleEndian;
import java.util.Arrays;

/**
 * Says of a user key that it is surely not in a table, or that it may be. All bits of a key lie in
 * one line of 64 bytes, so that a question costs one cache miss, not one per bit; for that it lets
 * slightly more absent keys pass than a filter over one large bit field (about 1 % at 10 bits per
 * key). Stateless: a filter is its contents.
 *
 * <p>Contents: {@code lines} times 64 bytes, then the number of probes. A key's {@link #hash} picks
 * the line: the product of its upper half and {@code lines}, shifted right by 32. The lower half
 * picks the bits: for each probe its top nine bits name one (bit {@code n & 7} of byte {@code n >>>
 * 3}), then it is multiplied by {@value #REMIX}.
 */
final class BloomFilter {
  static final int LINE_BYTES = 64;

  private static final int REMIX = 0x9e3779b1;
  private static final int MAX_PROBES = 30;

  private BloomFilter() {}

  /**
   * False when no key with that {@link #hash} was added.
   *
   * @param contents what {@link Builder#finish} made
   * @throws IllegalArgumentException when they are no filter
   */
  static boolean mayContain(Slice contents, long hash) {
    int length = contents.length();
    int lines = length / LINE_BYTES;
    int probes = length > 0 ? contents.byteAt(length - 1) : 0;
    if (lines == 0 || length % LINE_BYTES != 1 || probes < 1 || probes > MAX_PROBES) {
      throw new IllegalArgumentException(
          "not a filter: " + length + " bytes, " + probes + " probes");
    }
    byte[] bytes = contents.array();
    int line = contents.offset() + lineOf(hash, lines);
    int bits = (int) hash;
    for (int i = 0; i < probes; i++) {
      int bit = bits >>> 23;
      if ((bytes[line + (bit >>> 3)] & (1 << (bit & 7))) == 0) {
        return false;
      }
      bits *= REMIX;
    }
    return true;
  }

  /** Offset of the line that holds the bits of a key. */
  private static int lineOf(long hash, int lines) {
    return LINE_BYTES * (int) (((hash >>> 32) * lines) >>> 32);
  }

  /**
   * 64 well-mixed bits of a key: each eight bytes, read little-endian and the last padded with
   * zeros, are xored onto the state and mixed; the state starts as the mixed length. Part of the
   * file format.
   */
  static long hash(Slice key) {
    byte[] array = key.array();
    int at = key.offset();
    int end = at + key.length();
    long state = mix(key.length() + 0x9e3779b97f4a7c15L);
    for (; end - at >= Long.BYTES; at += Long.BYTES) {
      state = mix(state ^ LittleEndian.getLong(array, at));
    }
    if (at < end) {
      long rest = 0;
      for (int shift = 0; at < end; at++, shift += Byte.SIZE) {
        rest |= (array[at] & 0xffL) << shift;
      }
      state = mix(state ^ rest);
    }
    return state;
  }

  /** A permutation of the 64-bit numbers in which each input bit flips half of the output bits. */
  private static long mix(long value) {
    long x = value;
    x = (x ^ (x >>> 30)) * 0xbf58476d1ce4e5b9L;
    x = (x ^ (x >>> 27)) * 0x94d049bb133111ebL;
    return x ^ (x >>> 31);
  }

  /** Collects keys, then sizes the filter for them. Not thread-safe. */
  static final class Builder {
    private final int bitsPerKey;
    private long[] hashes = new long[1024];
    private int count;

    /**
     * @param bitsPerKey at least 1
     */
    Builder(int bitsPerKey) {
      this.bitsPerKey = bitsPerKey;
    }

    void add(Slice key) {
      if (count == hashes.length) {
        hashes = Arrays.copyOf(hashes, 2 * count);
      }
      hashes[count++] = hash(key);
    }

    boolean isEmpty() {
      return count == 0;
    }

    /** Keys so far. */
    int count() {
      return count;
    }

    /** Bytes of the filter for the keys so far. */
    long sizeBytes() {
      return (long) LINE_BYTES * lines() + 1;
    }

    /** Appends the contents of the filter, and begins a new one. */
    void finish(ByteSink target) {
      int lines = lines();
      int probes = probes();
      byte[] bits = new byte[LINE_BYTES * lines];
      for (int i = 0; i < count; i++) {
        int line = lineOf(hashes[i], lines);
        int rest = (int) hashes[i];
        for (int probe = 0; probe < probes; probe++) {
          int bit = rest >>> 23;
          bits[line + (bit >>> 3)] |= (byte) (1 << (bit & 7));
          rest *= REMIX;
        }
      }
      target.put(bits, 0, bits.length);
      target.putByte(probes);
      count = 0;
    }

    /** Enough lines for the bits; not more than an array holds (such a filter is just weaker). */
    private int lines() {
      long bits = Math.max(1, (long) count * bitsPerKey);
      long lines = (bits + 8L * LINE_BYTES - 1) / (8L * LINE_BYTES);
      return (int) Math.min(lines, (1 << 30) / LINE_BYTES);
    }

    /** ln 2 bits set per bit available lets the fewest absent keys pass. */
    private int probes() {
      return Math.max(1, Math.min(MAX_PROBES, (int) (bitsPerKey * Math.log(2))));
    }
  }
}
