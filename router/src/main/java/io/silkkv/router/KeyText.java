package io.silkkv.router;

import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Keys as text that people can read and type: printable ASCII stands for itself, a backslash is
 * written twice, every other byte is {@code \xNN}.
 */
public final class KeyText {
  private static final int SHOWN_BYTES = 64;

  private KeyText() {}

  /** The whole key as text; {@link #parse} reads it back. */
  public static String format(ByteString key) {
    StringBuilder text = new StringBuilder(key.size() + 8);
    for (int i = 0; i < key.size(); i++) {
      append(text, key.byteAt(i) & 0xFF);
    }
    return text.toString();
  }

  /** For messages: quoted, and cut after 64 bytes; null is an open bound. */
  public static String show(@Nullable ByteString key) {
    if (key == null) {
      return "(no bound)";
    }
    if (key.size() <= SHOWN_BYTES) {
      return "\"" + format(key) + "\"";
    }
    return "\"" + format(key.substring(0, SHOWN_BYTES)) + "...\" (" + key.size() + " bytes)";
  }

  /**
   * Reads text with {@code \xNN} and {@code \\} escapes; other characters are taken as UTF-8.
   *
   * @throws IllegalArgumentException for another escape, naming the text and the place
   */
  public static ByteString parse(String text) {
    ByteString.Output bytes = ByteString.newOutput(text.length());
    int at = 0;
    while (at < text.length()) {
      int codePoint = text.codePointAt(at);
      if (codePoint != '\\') {
        byte[] utf8 = Character.toString(codePoint).getBytes(StandardCharsets.UTF_8);
        bytes.write(utf8, 0, utf8.length);
        at += Character.charCount(codePoint);
      } else if (text.startsWith("\\\\", at)) {
        bytes.write('\\');
        at += 2;
      } else {
        bytes.write(hexEscape(text, at));
        at += 4;
      }
    }
    return bytes.toByteString();
  }

  private static int hexEscape(String text, int at) {
    if (text.startsWith("\\x", at) && at + 4 <= text.length()) {
      int high = Character.digit(text.charAt(at + 2), 16);
      int low = Character.digit(text.charAt(at + 3), 16);
      if (high >= 0 && low >= 0) {
        return high * 16 + low;
      }
    }
    throw new IllegalArgumentException(
        "bad escape at character "
            + (at + 1)
            + " of key text '"
            + text
            + "': write \\xNN with two hex digits, or \\\\ for a backslash");
  }

  private static void append(StringBuilder text, int b) {
    if (b == '\\') {
      text.append("\\\\");
    } else if (b >= 0x20 && b < 0x7F) {
      text.append((char) b);
    } else {
      text.append(String.format(Locale.ROOT, "\\x%02x", b));
    }
  }
}
