package io.silkkv.engine.io;

import java.io.IOException;
import java.nio.ByteBuffer;

/** An open file for positional reads. Thread-safe. */
public interface ReadableFile extends AutoCloseable {
  /**
   * Fills the buffer from {@code offset}; {@link java.io.EOFException} when the file ends before
   * the buffer is full.
   */
  void read(long offset, ByteBuffer target, IoClass why) throws IOException;

  /** Size in bytes. */
  long size();

  @Override
  void close() throws IOException;
}
