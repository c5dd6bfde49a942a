package io.silkkv.engine.version;

import java.util.Locale;
import java.util.OptionalLong;

/** Names of the files of an engine directory. Numbers are never used twice in a directory. */
public final class FileNames {
  /** Names the manifest in use; replaced by a rename in one step. */
  public static final String CURRENT = "CURRENT";

  static final String CURRENT_TEMPORARY = "CURRENT.tmp";
  private static final String TABLE_SUFFIX = ".sst";
  private static final String MANIFEST_PREFIX = "MANIFEST-";
  private static final int MAX_DIGITS = 18;

  private FileNames() {}

  public static String table(long number) {
    return String.format(Locale.ROOT, "%06d%s", number, TABLE_SUFFIX);
  }

  public static String manifest(long number) {
    return String.format(Locale.ROOT, "%s%06d", MANIFEST_PREFIX, number);
  }

  /** Number of a table file; empty for any other name. */
  public static OptionalLong tableNumber(String name) {
    return name.endsWith(TABLE_SUFFIX)
        ? number(name.substring(0, name.length() - TABLE_SUFFIX.length()))
        : OptionalLong.empty();
  }

  /** Number of a manifest; empty for any other name. */
  public static OptionalLong manifestNumber(String name) {
    return name.startsWith(MANIFEST_PREFIX)
        ? number(name.substring(MANIFEST_PREFIX.length()))
        : OptionalLong.empty();
  }

  private static OptionalLong number(String digits) {
    if (digits.isEmpty()
        || digits.length() > MAX_DIGITS
        || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(Long.parseLong(digits));
  }
}
