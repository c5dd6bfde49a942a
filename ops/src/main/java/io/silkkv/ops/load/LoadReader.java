package io.silkkv.ops.load;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a load file line by line; a line ends with LF or with the file. Empty lines are passed
 * over. It holds one line at a time, and a line longer than {@link #LINE_BYTES_MAX} not even once,
 * so that a file that is no load file does no harm. Not thread-safe.
 */
public final class LoadReader implements Closeable {
  /** Longest line in bytes: the largest value (2 MiB), every byte escaped, and some. */
  static final int LINE_BYTES_MAX = 16 << 20;

  private final InputStream in;
  private final LoadFormat format;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream(1 << 12);
  private long offset;
  private long number;

  /**
   * @param in stands at {@code offset}; closed with this reader
   * @param offset position of the next byte
   * @param number lines before it
   */
  public LoadReader(InputStream in, LoadFormat format, long offset, long number) {
    this.in = new BufferedInputStream(in, 1 << 16);
    this.format = format;
    this.offset = offset;
    this.number = number;
  }

  /** The next line that is not empty; null at the end. */
  public @Nullable LoadLine next() throws IOException {
    while (true) {
      line.reset();
      boolean tooLong = false;
      int b = in.read();
      if (b < 0) {
        return null;
      }
      for (; b >= 0 && b != '\n'; b = in.read()) {
        offset++;
        if (line.size() < LINE_BYTES_MAX) {
          line.write(b);
        } else {
          tooLong = true;
        }
      }
      offset += b == '\n' ? 1 : 0;
      number++;
      if (tooLong) {
        return new LoadLine.Unreadable(number, offset, "longer than " + LINE_BYTES_MAX + " bytes");
      }
      if (line.size() > 0) {
        return parse(line.toByteArray());
      }
    }
  }

  private LoadLine parse(byte[] bytes) {
    try {
      KeyValue parsed = format.parse(bytes);
      return new LoadLine.Entry(number, offset, parsed.key(), parsed.value());
    } catch (UnreadableLineException e) {
      return new LoadLine.Unreadable(number, offset, String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
