package io.silkkv.engine.record;

import io.silkkv.engine.base.Crc32c;
import io.silkkv.engine.io.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Appends records to a new file, framed as {@link RecordFormat} says. After an {@link IOException}
 * the writer must only be closed: what the file holds from there on is unknown. Not thread-safe.
 */
public final class RecordWriter implements AutoCloseable {
  private final WritableFile file;

  /** Writes the file header. Owns the file from here on, also when this fails. */
  public RecordWriter(WritableFile file, RecordFormat format) throws IOException {
    this.file = file;
    boolean done = false;
    try {
      file.write(format.fileHeader());
      done = true;
    } finally {
      if (!done) {
        file.close();
      }
    }
  }

  /** Appends one record; it is durable after the next {@link #sync()}. */
  public void append(byte[] payload) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(RecordFormat.RECORD_HEADER_BYTES + payload.length);
    frame.putInt(payload.length);
    frame.putInt(Crc32c.of(frame.array(), 0, Integer.BYTES));
    frame.putInt(Crc32c.of(payload, 0, payload.length));
    frame.put(payload);
    file.write(frame.flip());
  }

  /** Makes all appended records durable. A failed sync must not be repeated. */
  public void sync() throws IOException {
    file.sync();
  }

  /** Bytes written so far. */
  public long size() {
    return file.size();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
