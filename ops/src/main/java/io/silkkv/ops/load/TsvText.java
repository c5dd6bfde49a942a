package io.silkkv.ops.load;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Keys and values as tab-separated text.
 *
 * <pre>
 * line   = key TAB value
 * key    = 1*unit
 * value  = *unit             ; further TABs belong to the value
 * unit   = byte / escape     ; any byte but LF, and in a key but TAB
 * escape = "\t" / "\n" / "\r" / "\\" / "\x" HEX HEX
 * </pre>
 *
 * Bytes are taken as they are: a CR before the line end belongs to the value.
 */
public final class TsvText {
  private TsvText() {}

  static KeyValue parse(byte[] line) throws UnreadableLineException {
    int tab = 0;
    while (tab < line.length && line[tab] != '\t') {
      tab++;
    }
    if (tab == line.length) {
      throw new UnreadableLineException("no TAB between key and value");
    }
    if (tab == 0) {
      throw new UnreadableLineException("the key before the TAB is empty");
    }
    return new KeyValue(unescape(line, 0, tab), unescape(line, tab + 1, line.length));
  }

  /** Writes a key or a value so that {@link #parse} reads the same bytes. */
  public static void write(OutputStream out, byte[] bytes) throws IOException {
    int plainFrom = 0;
    for (int i = 0; i < bytes.length; i++) {
      char escape =
          switch (bytes[i]) {
            case '\t' -> 't';
            case '\n' -> 'n';
            case '\r' -> 'r';
            case '\\' -> '\\';
            default -> 0;
          };
      if (escape != 0) {
        out.write(bytes, plainFrom, i - plainFrom);
        out.write('\\');
        out.write(escape);
        plainFrom = i + 1;
      }
    }
    out.write(bytes, plainFrom, bytes.length - plainFrom);
  }

  private static byte[] unescape(byte[] line, int from, int to) throws UnreadableLineException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(to - from);
    int at = from;
    while (at < to) {
      if (line[at] != '\\') {
        bytes.write(line[at++]);
        continue;
      }
      int code = at + 1 < to ? line[at + 1] : -1;
      at += 2;
      switch (code) {
        case 't' -> bytes.write('\t');
        case 'n' -> bytes.write('\n');
        case 'r' -> bytes.write('\r');
        case '\\' -> bytes.write('\\');
        case 'x' -> {
          bytes.write(hexByte(line, at, to));
          at += 2;
        }
        default ->
            throw new UnreadableLineException(
                "bad escape at byte "
                    + (at - 1)
                    + " of the line: known are \\t \\n \\r \\\\ and \\xNN; write a backslash as"
                    + " \\\\");
      }
    }
    return bytes.toByteArray();
  }

  private static int hexByte(byte[] line, int at, int to) throws UnreadableLineException {
    int high = at + 1 < to ? Character.digit(line[at], 16) : -1;
    int low = at + 1 < to ? Character.digit(line[at + 1], 16) : -1;
    if (high < 0 || low < 0) {
      throw new UnreadableLineException(
          "\\x at byte " + (at - 1) + " of the line is not followed by two hex digits");
    }
    return high * 16 + low;
  }
}
