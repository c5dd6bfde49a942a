package io.silkkv.ops.bench.load.data;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** How the index of a key becomes bytes, and back. Stateless. */
public sealed interface KeyFormat {

  byte[] key(long index);

  /**
   * The index of a key that this format made, -1 for bytes that it cannot have made. What {@link
   * #key} makes of the result is always the given key.
   */
  long index(byte[] key);

  /** Eight bytes in the order of the indexes. */
  record Ordered() implements KeyFormat {
    @Override
    public byte[] key(long index) {
      return Bits.bytes(index);
    }

    @Override
    public long index(byte[] key) {
      return key.length == Long.BYTES ? Math.max(-1, Bits.bigEndian(key, 0)) : -1;
    }
  }

  /**
   * Eight bytes that jump through the whole key space, so that a fill in the order of the indexes
   * writes keys in random order; no two indexes share a key.
   */
  record Scattered() implements KeyFormat {
    @Override
    public byte[] key(long index) {
      return Bits.bytes(Bits.mix(index));
    }

    @Override
    public long index(byte[] key) {
      return key.length == Long.BYTES ? Math.max(-1, Bits.unmix(Bits.bigEndian(key, 0))) : -1;
    }
  }

  /**
   * Keys of another format with zero bytes before them: longer, and in the same order.
   *
   * @param bytes length of a key; not less than the other format's
   */
  record Padded(KeyFormat format, int bytes) implements KeyFormat {
    public Padded {
      int least = format.key(0).length;
      if (bytes < least) {
        throw new IllegalArgumentException(
            "keys of " + bytes + " bytes: at least " + least + " are needed");
      }
    }

    @Override
    public byte[] key(long index) {
      byte[] core = format.key(index);
      byte[] key = new byte[bytes];
      System.arraycopy(core, 0, key, bytes - core.length, core.length);
      return key;
    }

    @Override
    public long index(byte[] key) {
      if (key.length != bytes) {
        return -1;
      }
      int padding = bytes - format.key(0).length;
      for (int i = 0; i < padding; i++) {
        if (key[i] != 0) {
          return -1;
        }
      }
      return format.index(Arrays.copyOfRange(key, padding, bytes));
    }
  }

  /**
   * A prefix and sixteen hex digits, scattered as {@link Scattered}: spreads over shards that are
   * cut evenly by text.
   */
  record Text(String prefix) implements KeyFormat {
    private static final int DIGITS = 16;

    @Override
    public byte[] key(long index) {
      byte[] start = prefix.getBytes(StandardCharsets.UTF_8);
      byte[] key = Arrays.copyOf(start, start.length + DIGITS);
      long mixed = Bits.mix(index);
      for (int i = 0; i < DIGITS; i++) {
        key[start.length + i] = (byte) Character.forDigit((int) (mixed >>> (60 - 4 * i)) & 15, 16);
      }
      return key;
    }

    @Override
    public long index(byte[] key) {
      long mixed = 0;
      for (int i = Math.max(0, key.length - DIGITS); i < key.length; i++) {
        mixed = (mixed << 4) | (Character.digit(key[i], 16) & 15);
      }
      long index = Bits.unmix(mixed);
      return index >= 0 && Arrays.equals(key, key(index)) ? index : -1;
    }
  }
}
