package io.silkkv.ops.bench.load.data;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/**
 * Makes values that can be recognised again. A value of at least 20 bytes says whose it is:
 *
 * <pre>
 * value    = owner version checksum payload
 * owner    = u64, hash of the key's index
 * version  = u64, the number of the write
 * checksum = u32, CRC-32C of owner, version and payload
 * </pre>
 *
 * (big endian). A shorter one is bytes that follow from owner and version. The payload is a piece
 * of a pool of bytes that is as compressible as asked for; which piece follows from owner and
 * version. Immutable, thread-safe.
 */
public final class Values {
  static final int HEADER_BYTES = 20;

  /** Larger than what a block compressor looks back at. */
  private static final int POOL_BYTES = 4 << 20;

  private static final int UNIT_BYTES = 64;

  private final byte[] pool = new byte[POOL_BYTES];

  /**
   * @param compressedShare what a compressor leaves of a value, about, from above 0 to 1; 1 is not
   *     compressible at all
   */
  public Values(long seed, double compressedShare) {
    if (!(compressedShare > 0 && compressedShare <= 1)) {
      throw new IllegalArgumentException(
          "values that compress to " + compressedShare + ": above 0 and up to 1 is possible");
    }
    SplittableRandom random = new SplittableRandom(seed);
    random.nextBytes(pool);
    int kept = (int) Math.round(UNIT_BYTES * compressedShare);
    for (int unit = 0; unit < POOL_BYTES; unit += UNIT_BYTES) {
      Arrays.fill(pool, unit + kept, unit + UNIT_BYTES, (byte) 0);
    }
  }

  byte[] value(long key, long version, int bytes) {
    byte[] value = new byte[bytes];
    long owner = owner(key);
    if (bytes < HEADER_BYTES) {
      for (int i = 0; i < bytes; i++) {
        value[i] = (byte) Bits.mix(owner + version * Long.BYTES + i);
      }
      return value;
    }
    payload(owner, version, value, HEADER_BYTES);
    Bits.putBigEndian(value, 0, owner);
    Bits.putBigEndian(value, 8, version);
    int checksum = checksum(value);
    for (int i = 0; i < 4; i++) {
      value[16 + i] = (byte) (checksum >>> (24 - 8 * i));
    }
    return value;
  }

  /** Whether the value is whole and says that it belongs to the key; not for short values. */
  static boolean belongs(byte[] value, long key) {
    return Bits.bigEndian(value, 0) == owner(key)
        && (int) Bits.bigEndian(value, 12) == checksum(value);
  }

  /** The version that a value of at least 20 bytes carries. */
  static long version(byte[] value) {
    return Bits.bigEndian(value, 8);
  }

  private static int checksum(byte[] value) {
    CRC32C crc = new CRC32C();
    crc.update(value, 0, 16);
    crc.update(value, HEADER_BYTES, value.length - HEADER_BYTES);
    return (int) crc.getValue();
  }

  private static long owner(long key) {
    return Bits.mix(key ^ 0x5DEECE66DL);
  }

  private void payload(long owner, long version, byte[] into, int from) {
    int at = (int) Long.remainderUnsigned(Bits.mix(owner + Bits.mix(version)), POOL_BYTES);
    int done = from;
    while (done < into.length) {
      int length = Math.min(into.length - done, POOL_BYTES - at);
      System.arraycopy(pool, at, into, done, length);
      done += length;
      at = 0;
    }
  }
}
