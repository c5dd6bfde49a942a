package io.silkkv.ops.bench.load.data;

import java.util.List;

/**
 * Operations in given shares over given keys: the source of most workloads. Immutable.
 *
 * <p>New keys come at fixed numbers, spread evenly, so that each operation knows from its number
 * alone how many keys there are. An operation may meet a key whose first put is still on its way.
 */
public final class OperationMix implements OperationSource {
  private final long seed;
  private final long initialKeys;
  private final List<Share> shares;
  private final double weights;
  private final double insertShare;
  private final KeyChooser keys;
  private final ValueSizes sizes;

  /**
   * How much of the load is of one kind.
   *
   * @param weight in proportion to the sum of all weights
   * @param leastLimit of scans, at least 1; lengths are drawn evenly; other kinds: 0
   * @param mostLimit of scans; other kinds: 0
   */
  public record Share(OpKind kind, double weight, int leastLimit, int mostLimit) {
    public Share {
      if (!(weight > 0) || (kind == OpKind.SCAN) != (leastLimit > 0) || mostLimit < leastLimit) {
        throw new IllegalArgumentException(
            kind.jsonName()
                + " with weight "
                + weight
                + " and limits "
                + leastLimit
                + " to "
                + mostLimit
                + ": the weight is above 0; scans, and only they, have limits");
      }
    }

    public static Share of(OpKind kind, double weight) {
      return new Share(kind, weight, 0, 0);
    }

    public static Share scans(double weight, int leastLimit, int mostLimit) {
      return new Share(OpKind.SCAN, weight, leastLimit, mostLimit);
    }
  }

  /**
   * @param initialKeys how many keys there are at the start, at least 1
   * @param insertShare share (0 to 1) of all operations that put a new key; the rest is divided by
   *     the shares, whose puts overwrite
   */
  public OperationMix(
      long seed,
      long initialKeys,
      double insertShare,
      List<Share> shares,
      KeyChooser keys,
      ValueSizes sizes) {
    if (initialKeys < 1 || !(insertShare >= 0 && insertShare <= 1)) {
      throw new IllegalArgumentException(
          initialKeys
              + " keys and "
              + insertShare
              + " inserts: at least one key, and inserts from 0 to 1, are needed");
    }
    if (shares.isEmpty() && insertShare < 1) {
      throw new IllegalArgumentException("no kind of operation is given");
    }
    this.seed = seed;
    this.initialKeys = initialKeys;
    this.insertShare = insertShare;
    this.shares = List.copyOf(shares);
    this.weights = shares.stream().mapToDouble(Share::weight).sum();
    this.keys = keys;
    this.sizes = sizes;
  }

  @Override
  public Operation operation(long number) {
    Draw draw = new Draw(seed, number);
    long inserted = insertedBefore(number);
    long population = initialKeys + inserted;
    if (insertedBefore(number + 1) > inserted) {
      return Operation.put(population, sizes.size(draw));
    }
    Share share = share(draw);
    long key = keys.choose(draw, population);
    return switch (share.kind()) {
      case PUT -> Operation.put(key, sizes.size(draw));
      case GET -> Operation.get(key);
      case DELETE -> Operation.delete(key);
      case SEEK -> Operation.seek(key);
      case RMW -> Operation.readModifyWrite(key, sizes.size(draw));
      case SCAN ->
          Operation.scan(
              key,
              (int) (share.leastLimit() + draw.below(share.mostLimit() - share.leastLimit() + 1L)));
    };
  }

  private long insertedBefore(long number) {
    return (long) Math.floor(number * insertShare);
  }

  private Share share(Draw draw) {
    double at = draw.nextDouble() * weights;
    for (Share share : shares) {
      at -= share.weight();
      if (at < 0) {
        return share;
      }
    }
    return shares.get(shares.size() - 1);
  }
}
