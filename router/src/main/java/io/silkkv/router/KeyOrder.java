package io.silkkv.router;

import com.google.protobuf.ByteString;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The order of keys, unsigned lexicographic, and the few steps in it that ranges need. An absent
 * (or, on the wire, empty) end of a range means that it has no upper bound.
 */
public final class KeyOrder {
  private static final Comparator<ByteString> UNSIGNED =
      ByteString.unsignedLexicographicalComparator();

  private KeyOrder() {}

  /** Negative, zero or positive as {@code left} sorts before, with or after {@code right}. */
  public static int compare(ByteString left, ByteString right) {
    return UNSIGNED.compare(left, right);
  }

  /** Whether a key lies in {@code [start, end)}; a null or empty end is no bound. */
  public static boolean inRange(ByteString key, ByteString start, @Nullable ByteString end) {
    return compare(key, start) >= 0 && isBefore(key, end);
  }

  /** Whether a key lies before an end; a null or empty end is behind every key. */
  public static boolean isBefore(ByteString key, @Nullable ByteString end) {
    return end == null || end.isEmpty() || compare(key, end) < 0;
  }

  /** The smaller of two ends, where null or empty is no bound; null when neither is a bound. */
  public static @Nullable ByteString smallerEnd(
      @Nullable ByteString left, @Nullable ByteString right) {
    if (left == null || left.isEmpty()) {
      return right == null || right.isEmpty() ? null : right;
    }
    return isBefore(left, right) ? left : right;
  }

  /** The larger of two ends, where null or empty is no bound; null when one of them is none. */
  public static @Nullable ByteString largerEnd(
      @Nullable ByteString left, @Nullable ByteString right) {
    if (left == null || left.isEmpty() || right == null || right.isEmpty()) {
      return null;
    }
    return isBefore(left, right) ? right : left;
  }

  /** The smallest key after {@code key}. */
  public static ByteString next(ByteString key) {
    return key.concat(ByteString.copyFrom(new byte[] {0}));
  }

  /**
   * The end of the range of all keys that start with {@code prefix}; null when there is no bound
   * because the prefix is empty or only bytes 0xFF.
   */
  public static @Nullable ByteString endOfPrefix(ByteString prefix) {
    int last = prefix.size() - 1;
    while (last >= 0 && prefix.byteAt(last) == (byte) 0xFF) {
      last--;
    }
    if (last < 0) {
      return null;
    }
    byte[] end = prefix.substring(0, last + 1).toByteArray();
    end[last]++;
    return ByteString.copyFrom(end);
  }
}
