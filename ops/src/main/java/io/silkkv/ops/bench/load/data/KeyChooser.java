package io.silkkv.ops.bench.load.data;

/** Which of the keys 0 to population - 1 an operation goes to. Immutable. */
public sealed interface KeyChooser {

  /**
   * @param population how many keys there are, above 0
   */
  long choose(Draw draw, long population);

  /** All keys alike. */
  record Uniform() implements KeyChooser {
    @Override
    public long choose(Draw draw, long population) {
      return draw.below(population);
    }
  }

  /**
   * Few keys get most: the k-th most popular is asked for in proportion to 1 / k^exponent. Which
   * ones they are is scattered over all indexes by a hash, as in YCSB; as there, two ranks may meet
   * at one key.
   *
   * @param exponent above 0, not 1; YCSB's is 0.99
   */
  record Zipfian(double exponent) implements KeyChooser {
    public Zipfian {
      ZipfRank.check(exponent);
    }

    @Override
    public long choose(Draw draw, long population) {
      long rank = ZipfRank.draw(draw, population, exponent);
      return Long.remainderUnsigned(Bits.mix(rank), population);
    }
  }

  /**
   * The youngest keys get most: the k-th youngest in proportion to 1 / k^exponent.
   *
   * @param exponent above 0, not 1; YCSB's is 0.99
   */
  record Latest(double exponent) implements KeyChooser {
    public Latest {
      ZipfRank.check(exponent);
    }

    @Override
    public long choose(Draw draw, long population) {
      return population - 1 - ZipfRank.draw(draw, population, exponent);
    }
  }
}
