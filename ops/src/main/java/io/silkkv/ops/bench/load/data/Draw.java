package io.silkkv.ops.bench.load.data;

/**
 * The random numbers of one operation: they follow from the seed of the run and the number of the
 * operation alone. SplittableRandom's generator, without its cost of making one. For one thread.
 */
public final class Draw {
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private long state;

  public Draw(long seed, long number) {
    state = Bits.mix(seed) ^ Bits.mix(number * GOLDEN_GAMMA + 1);
  }

  public long nextLong() {
    state += GOLDEN_GAMMA;
    return Bits.mix(state);
  }

  /**
   * Evenly from 0 to {@code bound} - 1; the bias is below bound / 2^63.
   *
   * @param bound above 0
   */
  public long below(long bound) {
    return (nextLong() >>> 1) % bound;
  }

  /** Evenly from 0 (inclusive) to 1 (exclusive). */
  public double nextDouble() {
    return (nextLong() >>> 11) * 0x1.0p-53;
  }
}
