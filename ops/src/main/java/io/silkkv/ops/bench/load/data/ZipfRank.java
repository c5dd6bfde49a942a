package io.silkkv.ops.bench.load.data;

/**
 * Ranks with Zipf's distribution, by rejection-inversion (W. Hörmann, G. Derflinger:
 * "Rejection-inversion to generate variates from monotone discrete distributions", ACM TOMACS 6(3),
 * 1996). It needs no sums over the population, so that the population may grow.
 */
final class ZipfRank {
  private ZipfRank() {}

  static void check(double exponent) {
    if (!(exponent > 0) || exponent == 1 || Double.isInfinite(exponent)) {
      throw new IllegalArgumentException(
          "a Zipf exponent of " + exponent + ": it must be above 0 and not 1 (0.99 is usual)");
    }
  }

  /** A rank from 0 (the most popular) to population - 1. */
  static long draw(Draw draw, long population, double exponent) {
    double low = area(1.5, exponent) - 1;
    double high = area(population + 0.5, exponent);
    double sure = 2 - areaInverse(area(2.5, exponent) - Math.pow(2, -exponent), exponent);
    while (true) {
      double u = high + draw.nextDouble() * (low - high);
      double x = areaInverse(u, exponent);
      long k = Math.max(1, Math.min(population, Math.round(x)));
      if (k - x <= sure || u >= area(k + 0.5, exponent) - Math.pow((double) k, -exponent)) {
        return k - 1;
      }
    }
  }

  /** The integral of x^-exponent, up to a constant. */
  private static double area(double x, double exponent) {
    return (Math.pow(x, 1 - exponent) - 1) / (1 - exponent);
  }

  private static double areaInverse(double area, double exponent) {
    return Math.pow(1 + area * (1 - exponent), 1 / (1 - exponent));
  }
}
