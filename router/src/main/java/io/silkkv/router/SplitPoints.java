package io.silkkv.router;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;

/**
 * The keys at which a new cluster is cut into shards.
 *
 * <p>Nobody knows the keys of a cluster that is still empty. {@link #evenly} assumes text that
 * starts with digits and lower-case letters, all equally often; for other keys, name the split
 * points.
 */
public final class SplitPoints {
  private static final String DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";
  private static final int MAX_SHARDS = DIGITS.length() * DIGITS.length();

  private SplitPoints() {}

  /**
   * Split points for a number of shards over base-36 text: one character up to 36 shards, two
   * beyond. Four shards are cut at {@code 9}, {@code i} and {@code r}.
   *
   * @param shards from 1 to 1,296
   */
  public static List<ByteString> evenly(int shards) {
    if (shards < 1 || shards > MAX_SHARDS) {
      throw new IllegalArgumentException(
          "a cluster can start with 1 to " + MAX_SHARDS + " shards, not with " + shards);
    }
    boolean oneDigit = shards <= DIGITS.length();
    int space = oneDigit ? DIGITS.length() : MAX_SHARDS;
    List<ByteString> points = new ArrayList<>();
    for (int i = 1; i < shards; i++) {
      int at = i * space / shards;
      String text =
          oneDigit
              ? DIGITS.substring(at, at + 1)
              : "" + DIGITS.charAt(at / DIGITS.length()) + DIGITS.charAt(at % DIGITS.length());
      points.add(ByteString.copyFromUtf8(text));
    }
    return List.copyOf(points);
  }

  /**
   * Split points from text with {@code \xNN} escapes, in any order.
   *
   * @throws IllegalArgumentException for a bad escape, an empty or a repeated split point
   */
  public static List<ByteString> parse(List<String> texts) {
    List<ByteString> points = new ArrayList<>();
    for (String text : texts) {
      points.add(KeyText.parse(text));
    }
    points.sort(KeyOrder::compare);
    check(points);
    return List.copyOf(points);
  }

  static void check(List<ByteString> points) {
    for (int i = 0; i < points.size(); i++) {
      ByteString point = points.get(i);
      if (point.isEmpty()) {
        throw new IllegalArgumentException(
            "a split point must not be empty: the first shard would hold no key");
      }
      if (i > 0 && KeyOrder.compare(points.get(i - 1), point) >= 0) {
        throw new IllegalArgumentException(
            "split points must increase, but "
                + KeyText.show(point)
                + " follows "
                + KeyText.show(points.get(i - 1)));
      }
    }
  }
}
