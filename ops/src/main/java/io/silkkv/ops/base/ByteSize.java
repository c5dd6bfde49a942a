package io.silkkv.ops.base;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sizes as people write them: {@code 2GB}, {@code 64MiB}, {@code 1024}. KB, MB and GB count in
 * thousands as disks do, KiB, MiB and GiB in 1024s as memory does. A rate is a size with {@code /s}
 * behind it, which may be left out.
 */
public final class ByteSize {
  private static final Pattern FORM =
      Pattern.compile("\\s*(\\d+(?:\\.\\d+)?)\\s*([a-z]*)\\s*(/s)?\\s*", Pattern.CASE_INSENSITIVE);

  private static final Map<String, Long> UNITS =
      Map.of(
          "",
          1L,
          "b",
          1L,
          "kb",
          1_000L,
          "mb",
          1_000_000L,
          "gb",
          1_000_000_000L,
          "kib",
          1L << 10,
          "mib",
          1L << 20,
          "gib",
          1L << 30);

  /** Sums of a few sizes still fit into a long. */
  private static final double MOST_BYTES = 1e18;

  private ByteSize() {}

  /**
   * @param name what the text is for, to be named in the message
   * @return bytes
   * @throws OpsException when it is not a size
   */
  public static long parse(String name, String text) {
    return parse(name, text, false);
  }

  /** As {@link #parse}, for bytes per second. */
  public static long parseRate(String name, String text) {
    return parse(name, text, true);
  }

  private static long parse(String name, String text, boolean rate) {
    Matcher matcher = FORM.matcher(text);
    Long unit = matcher.matches() ? UNITS.get(matcher.group(2).toLowerCase(Locale.ROOT)) : null;
    if (unit == null || (matcher.group(3) != null && !rate)) {
      throw refused(name, text, rate);
    }
    double bytes = Double.parseDouble(matcher.group(1)) * unit;
    if (bytes > MOST_BYTES) {
      throw refused(name, text, rate);
    }
    return Math.round(bytes);
  }

  private static OpsException refused(String name, String text, boolean rate) {
    return new OpsException(
        ExitCode.BAD_INPUT,
        name
            + ": '"
            + text
            + "' is not a "
            + (rate ? "rate: write for example 200MB/s" : "size: write for example 2GB or 64MiB"));
  }

  /** The shortest text with one decimal at most, in thousands: {@code 2GB}, {@code 1.5MB}. */
  public static String text(long bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= 1000 && unit < 3) {
      value /= 1000;
      unit++;
    }
    String number = String.format(Locale.ROOT, "%.1f", value);
    return (number.endsWith(".0") ? number.substring(0, number.length() - 2) : number)
        + new String[] {"B", "KB", "MB", "GB"}[unit];
  }
}
