package io.silkkv.engine.io;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A file being written from its start to its end. Not thread-safe. */
public interface WritableFile extends AutoCloseable {
  /** Appends all remaining bytes of the buffer. */
  void write(ByteBuffer bytes) throws IOException;

  /** Bytes appended so far. */
  long size();

  /**
   * Makes all appended bytes durable. After a failure the file must not be used or synced again.
   */
  void sync() throws IOException;

  /** Closes without syncing. Idempotent. */
  @Override
  void close() throws IOException;
}
