package io.silkkv.ops.bench.load.data;

import java.util.List;

/** How long values are. Immutable. */
public sealed interface ValueSizes {

  int size(Draw draw);

  /** Every value is as long. */
  record Fixed(int bytes) implements ValueSizes {
    @Override
    public int size(Draw draw) {
      return bytes;
    }
  }

  /**
   * Lengths from least to most, both included.
   *
   * @param weight how often this range is taken, in proportion to the sum of all weights
   * @param logarithmic whether each doubling of the length is as likely as any other (most values
   *     near the least), else each length is as likely
   */
  record Range(double weight, int least, int most, boolean logarithmic) {
    public Range {
      if (!(weight > 0) || least < 1 || most < least) {
        throw new IllegalArgumentException(
            "sizes "
                + least
                + " to "
                + most
                + " with weight "
                + weight
                + ": sizes start at 1, and the weight is above 0");
      }
    }

    int size(Draw draw) {
      if (!logarithmic) {
        return (int) (least + draw.below(most - least + 1L));
      }
      double size = least * Math.pow((most + 1.0) / least, draw.nextDouble());
      return (int) Math.min(most, size);
    }
  }

  /** One of several ranges. */
  record Mixed(List<Range> ranges) implements ValueSizes {
    public Mixed {
      ranges = List.copyOf(ranges);
      if (ranges.isEmpty()) {
        throw new IllegalArgumentException("a mixture of sizes needs at least one range");
      }
    }

    @Override
    public int size(Draw draw) {
      double sum = 0;
      for (Range range : ranges) {
        sum += range.weight();
      }
      double at = draw.nextDouble() * sum;
      for (Range range : ranges) {
        at -= range.weight();
        if (at < 0) {
          return range.size(draw);
        }
      }
      return ranges.get(ranges.size() - 1).size(draw);
    }
  }
}
