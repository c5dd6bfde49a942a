package io.silkkv.ops.bench.load.data;

/** Mixing and packing of 64-bit numbers. */
final class Bits {
  // The finaliser of SplittableRandom (Steele, Lea, Flood: "Fast splittable pseudorandom number
  // generators", OOPSLA 2014), and the inverses of its multipliers modulo 2^64.
  private static final long FACTOR_1 = 0xBF58476D1CE4E5B9L;
  private static final long FACTOR_2 = 0x94D049BB133111EBL;
  private static final long INVERSE_1 = inverse(FACTOR_1);
  private static final long INVERSE_2 = inverse(FACTOR_2);

  private Bits() {}

  /** A bijection whose every output bit depends on every input bit. */
  static long mix(long value) {
    long x = (value ^ (value >>> 30)) * FACTOR_1;
    x = (x ^ (x >>> 27)) * FACTOR_2;
    return x ^ (x >>> 31);
  }

  /** The inverse of {@link #mix}. */
  static long unmix(long value) {
    long x = (value ^ (value >>> 31) ^ (value >>> 62)) * INVERSE_2;
    x = (x ^ (x >>> 27) ^ (x >>> 54)) * INVERSE_1;
    return x ^ (x >>> 30) ^ (x >>> 60);
  }

  /** Newton's iteration: each step doubles the number of right low bits, from three. */
  private static long inverse(long odd) {
    long x = odd;
    for (int bits = 3; bits < Long.SIZE; bits *= 2) {
      x *= 2 - odd * x;
    }
    return x;
  }

  static byte[] bytes(long value) {
    byte[] bytes = new byte[Long.BYTES];
    putBigEndian(bytes, 0, value);
    return bytes;
  }

  static void putBigEndian(byte[] into, int at, long value) {
    for (int i = 0; i < Long.BYTES; i++) {
      into[at + i] = (byte) (value >>> (56 - 8 * i));
    }
  }

  static long bigEndian(byte[] from, int at) {
    long value = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      value = (value << 8) | (from[at + i] & 0xff);
    }
    return value;
  }
}
