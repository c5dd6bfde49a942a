package io.silkkv.ops.bench.report;

import java.util.ArrayList;
import java.util.List;

/** Maps values to pixels and knows where an axis has its ticks. */
sealed interface Scale {

  /** The pixel of a value; values outside of the axis are drawn at its end. */
  double at(double value);

  /** Values with a label, ascending. */
  List<Double> ticks();

  /** Values with a thin line but no label. */
  List<Double> minorTicks();

  /**
   * Equal steps from zero.
   *
   * @param max the last tick
   * @param step between ticks
   * @param from pixel of zero
   * @param to pixel of {@code max}
   */
  record Linear(double max, double step, double from, double to) implements Scale {

    /** An axis that reaches at least {@code largest} in about {@code count} steps of 1, 2 or 5. */
    static Linear reaching(double largest, int count, double from, double to) {
      double rough = Math.max(largest, 1e-9) / count;
      double power = Math.pow(10, Math.floor(Math.log10(rough)));
      double step = 10 * power;
      for (double nice : new double[] {1, 2, 5}) {
        if (nice * power >= rough * 0.999) {
          step = nice * power;
          break;
        }
      }
      return new Linear(Math.ceil(largest / step - 1e-9) * step, step, from, to);
    }

    @Override
    public double at(double value) {
      double share = max == 0 ? 0 : Math.max(0, Math.min(1, value / max));
      return from + share * (to - from);
    }

    @Override
    public List<Double> ticks() {
      List<Double> ticks = new ArrayList<>();
      for (int i = 0; i * step <= max * 1.0001; i++) {
        ticks.add(i * step);
      }
      return ticks;
    }

    @Override
    public List<Double> minorTicks() {
      return List.of();
    }
  }

  /**
   * Equal steps per power of ten.
   *
   * @param low value of the first pixel, above 0
   * @param high value of the last pixel, above {@code low}
   * @param from first pixel
   * @param to last pixel
   */
  record Log(double low, double high, double from, double to) implements Scale {

    /** An axis that ends at 1, 2 or 5 times a power of ten and holds a labelled tick or two. */
    static Log around(double smallest, double largest, double from, double to) {
      double low = power(smallest);
      low *= low * 5 <= smallest ? 5 : low * 2 <= smallest ? 2 : 1;
      double high = power(largest);
      high *= high >= largest ? 1 : high * 2 >= largest ? 2 : high * 5 >= largest ? 5 : 10;
      return new Log(low, Math.max(high, low * 10), from, to);
    }

    /** The largest power of ten that is not above the value. */
    private static double power(double value) {
      return Math.pow(10, Math.floor(Math.log10(value) + 1e-9));
    }

    @Override
    public double at(double value) {
      double share = value <= 0 ? 0 : Math.log10(value / low) / Math.log10(high / low);
      return from + Math.max(0, Math.min(1, share)) * (to - from);
    }

    @Override
    public List<Double> ticks() {
      return multiples(1, 1);
    }

    @Override
    public List<Double> minorTicks() {
      return multiples(2, 9);
    }

    private List<Double> multiples(int first, int last) {
      List<Double> ticks = new ArrayList<>();
      for (double power = power(low); power <= high; power *= 10) {
        for (int digit = first; digit <= last; digit++) {
          double tick = digit * power;
          if (tick >= low * 0.999 && tick <= high * 1.001) {
            ticks.add(tick);
          }
        }
      }
      return ticks;
    }
  }
}
