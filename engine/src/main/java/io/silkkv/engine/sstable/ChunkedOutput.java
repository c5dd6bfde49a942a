package io.silkkv.engine.sstable;

import io.silkkv.engine.api.EngineIoException;
import io.silkkv.engine.io.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Gathers what a table consists of and writes it in chunks: few system calls, and each small enough
 * to be one grant of the I/O scheduler. Not thread-safe.
 */
final class ChunkedOutput {
  /** The largest request that the scheduler grants at once. */
  private static final int CHUNK_BYTES = 128 << 10;

  private final WritableFile file;
  private final String name;
  private final ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
  private long size;

  ChunkedOutput(WritableFile file, String name) {
    this.file = file;
    this.name = name;
  }

  String name() {
    return name;
  }

  /** Bytes taken so far; some may still wait in the chunk. */
  long size() {
    return size;
  }

  void write(byte[] bytes, int length) {
    int at = 0;
    while (at < length) {
      int count = Math.min(length - at, chunk.remaining());
      chunk.put(bytes, at, count);
      at += count;
      if (!chunk.hasRemaining()) {
        flush();
      }
    }
    size += length;
  }

  void syncAndClose() {
    flush();
    try {
      file.sync();
    } catch (IOException e) {
      throw new EngineIoException("sync " + name, e);
    }
    close();
  }

  void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new EngineIoException("close " + name, e);
    }
  }

  private void flush() {
    chunk.flip();
    try {
      file.write(chunk);
    } catch (IOException e) {
      throw new EngineIoException("write " + name, e);
    }
    chunk.clear();
  }
}
