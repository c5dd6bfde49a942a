package io.silkkv.engine;

import io.silkkv.engine.api.SilkOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The text form of {@link IoPolicy}; the grammar stands there. */
final class IoPolicyText {
  private static final Pattern RATE = Pattern.compile("(\\d{1,18}) ?((?:[KMG]i?B)?)(?:/s)?");
  private static final List<String> OPTIONS =
      List.of(
          "budget",
          "floor",
          "threshold",
          "epsilon",
          "period-millis",
          "replication-weight",
          "parts");

  private IoPolicyText() {}

  static IoPolicy parse(String text) {
    String trimmed = text.trim();
    int colon = trimmed.indexOf(':');
    String name = colon < 0 ? trimmed : trimmed.substring(0, colon);
    String rest = colon < 0 ? "" : trimmed.substring(colon + 1);
    return switch (name) {
      case "none" -> {
        if (colon >= 0) {
          throw new IllegalArgumentException("policy 'none' takes no options, not '" + rest + "'");
        }
        yield new IoPolicy.None();
      }
      case "fixed" -> new IoPolicy.Fixed(rate("fixed", rest));
      case "auto-tuned" -> new IoPolicy.AutoTuned(rate("auto-tuned", rest));
      case "silk" -> new IoPolicy.Silk(silk(rest));
      default ->
          throw new IllegalArgumentException(
              "unknown I/O policy '"
                  + name
                  + "'; use none, fixed:RATE, auto-tuned:RATE or silk:budget=RATE");
    };
  }

  private static SilkOptions silk(String text) {
    Map<String, String> given = options(text);
    String budget = given.get("budget");
    if (budget == null) {
      throw new IllegalArgumentException(
          "policy 'silk' needs the bandwidth of the volume, e.g. silk:budget=200MB/s");
    }
    SilkOptions base = SilkOptions.forDevice(rate("budget", budget));
    return new SilkOptions(
        base.deviceBytesPerSecond(),
        rate(given, "floor", base.floorBytesPerSecond()),
        rate(given, "threshold", base.thresholdBytesPerSecond()),
        rate(given, "epsilon", base.epsilonBytesPerSecond()),
        (int) Math.min(rate(given, "period-millis", base.periodMillis()), Integer.MAX_VALUE),
        weight(given.get("replication-weight"), base.replicationWeight()),
        parts(given.get("parts"), base.parts()));
  }

  private static Map<String, String> options(String text) {
    Map<String, String> given = new HashMap<>();
    for (String option : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      int equals = option.indexOf('=');
      String name = option.substring(0, Math.max(0, equals)).trim();
      if (!OPTIONS.contains(name)) {
        throw new IllegalArgumentException(
            "policy 'silk' has no option '" + option + "'; it has " + new TreeSet<>(OPTIONS));
      }
      if (given.put(name, option.substring(equals + 1).trim()) != null) {
        throw new IllegalArgumentException("option '" + name + "' of policy 'silk' stands twice");
      }
    }
    return given;
  }

  private static long rate(Map<String, String> given, String name, long otherwise) {
    String text = given.get(name);
    return text == null ? otherwise : rate(name, text);
  }

  private static long rate(String name, String text) {
    Matcher matcher = RATE.matcher(text.trim());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          name + " '" + text + "' is not a rate; write bytes per second, e.g. 200MB/s or 64MiB");
    }
    long unit = unit(matcher.group(2));
    long number = Long.parseLong(matcher.group(1));
    if (number > Long.MAX_VALUE / unit) {
      throw new IllegalArgumentException(name + " '" + text + "' is too large");
    }
    return number * unit;
  }

  private static long unit(String suffix) {
    return switch (suffix) {
      case "KB" -> 1_000;
      case "MB" -> 1_000_000;
      case "GB" -> 1_000_000_000;
      case "KiB" -> 1 << 10;
      case "MiB" -> 1 << 20;
      case "GiB" -> 1 << 30;
      default -> 1;
    };
  }

  private static double weight(@Nullable String text, double otherwise) {
    try {
      return text == null ? otherwise : Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("replication-weight '" + text + "' is not a number", e);
    }
  }

  private static SilkOptions.Parts parts(@Nullable String text, SilkOptions.Parts otherwise) {
    if (text == null) {
      return otherwise;
    }
    for (SilkOptions.Parts each : SilkOptions.Parts.values()) {
      if (name(each).equals(text)) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        "parts '" + text + "' must be all, bandwidth-only or priorities-only");
  }

  private static String name(SilkOptions.Parts parts) {
    return parts.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static String write(SilkOptions options) {
    return "budget="
        + options.deviceBytesPerSecond()
        + ",floor="
        + options.floorBytesPerSecond()
        + ",threshold="
        + options.thresholdBytesPerSecond()
        + ",epsilon="
        + options.epsilonBytesPerSecond()
        + ",period-millis="
        + options.periodMillis()
        + ",replication-weight="
        + options.replicationWeight()
        + ",parts="
        + name(options.parts());
  }
}
