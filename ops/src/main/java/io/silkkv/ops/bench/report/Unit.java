package io.silkkv.ops.bench.report;

import java.util.Locale;

/**
 * What a figure counts, and how it is written for people: three digits that matter, then a unit.
 */
public enum Unit {
  PER_SECOND,
  MICROS,
  MILLIS,
  SECONDS,
  BYTES,
  BYTES_PER_SECOND,
  RATIO,
  PERCENT,
  COUNT;

  private static final String UNKNOWN = "-";
  private static final String[] BYTE_UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

  /** The value with its unit, in ASCII; "-" for what was not measured (NaN). */
  public String text(double value) {
    if (Double.isNaN(value)) {
      return UNKNOWN;
    }
    return switch (this) {
      case PER_SECOND, COUNT -> String.format(Locale.ROOT, "%,.0f", value);
      case MICROS -> time(value);
      case MILLIS -> time(value * 1e3);
      case SECONDS -> time(value * 1e6);
      case BYTES -> bytes(value);
      case BYTES_PER_SECOND -> digits(value / 1e6) + "MB/s";
      case PERCENT -> digits(value) + "%";
      case RATIO -> String.format(Locale.ROOT, "%.2f", value);
    };
  }

  private static String time(double micros) {
    if (micros == 0) {
      return "0";
    }
    if (Math.abs(micros) < 999.5) {
      return digits(micros) + "us";
    }
    if (Math.abs(micros) < 999_500) {
      return digits(micros / 1e3) + "ms";
    }
    return digits(micros / 1e6) + "s";
  }

  private static String bytes(double value) {
    int unit = 0;
    double scaled = value;
    while (Math.abs(scaled) >= 1023.5 && unit < BYTE_UNITS.length - 1) {
      scaled /= 1024;
      unit++;
    }
    return (unit == 0 ? String.format(Locale.ROOT, "%.0f", scaled) : digits(scaled))
        + BYTE_UNITS[unit];
  }

  /** Three digits for what is below 1000, all of them above. */
  static String digits(double value) {
    double size = Math.abs(value);
    if (size >= 99.95) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return String.format(Locale.ROOT, size >= 9.995 ? "%.1f" : "%.2f", value);
  }
}
