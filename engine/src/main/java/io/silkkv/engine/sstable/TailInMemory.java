package io.silkkv.engine.sstable;

import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.ReadableFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A file whose last bytes have been read already: all that opening a table takes, in one read. */
final class TailInMemory implements ReadableFile {
  /** Holds footer, properties and top index of all but tables with very long keys. */
  private static final int BYTES = 8 << 10;

  private final ReadableFile file;
  private final long offset;
  private final byte[] bytes;

  private TailInMemory(ReadableFile file, long offset, byte[] bytes) {
    this.file = file;
    this.offset = offset;
    this.bytes = bytes;
  }

  /**
   * Reads the tail.
   *
   * @param why class of the reads
   */
  static TailInMemory of(ReadableFile file, IoClass why) throws IOException {
    int count = (int) Math.min(file.size(), BYTES);
    byte[] bytes = new byte[count];
    long offset = file.size() - count;
    file.read(offset, ByteBuffer.wrap(bytes), why);
    return new TailInMemory(file, offset, bytes);
  }

  @Override
  public void read(long from, ByteBuffer target, IoClass why) throws IOException {
    if (from >= offset && target.remaining() <= size() - from) {
      target.put(bytes, (int) (from - offset), target.remaining());
    } else {
      file.read(from, target, why);
    }
  }

  @Override
  public long size() {
    return file.size();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
