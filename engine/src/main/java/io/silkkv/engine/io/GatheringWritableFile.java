package io.silkkv.engine.io;

import io.silkkv.engine.io.IoCounters.Direction;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Gathers what is written and makes requests of 128 KiB of it, past the page cache where that is
 * possible. A device takes whole blocks only, so the last one is padded with zeros and the file is
 * cut to its length before it is synced. A crash in between leaves padding behind the end of a file
 * that was not yet synced, where anything may be anyway. What follows a sync writes the padded
 * block again, with the same bytes at its beginning. Not thread-safe.
 */
final class GatheringWritableFile implements WritableFile {
  private final Path file;
  private final UncachedChannel channel;
  private final AlignedBuffers buffers;
  private final IoClass why;
  private final IoCounters counters;

  /** Holds the bytes from {@link #flushed} to {@link #size}. */
  private final ByteBuffer buffer;

  /** Bytes that never have to be written again; a multiple of the buffer's size. */
  private long flushed;

  private long size;

  /** Bytes that the file holds; fewer than {@link #size} while the buffer is not written. */
  private long written;

  private boolean failed;
  private boolean closed;

  GatheringWritableFile(
      Path file,
      UncachedChannel channel,
      AlignedBuffers buffers,
      IoClass why,
      IoCounters counters) {
    this.file = file;
    this.channel = channel;
    this.buffers = buffers;
    this.why = why;
    this.counters = counters;
    this.buffer = buffers.take();
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    begin();
    int end = bytes.limit();
    while (bytes.position() < end) {
      int count = Math.min(end - bytes.position(), buffer.remaining());
      buffer.put(bytes.limit(bytes.position() + count));
      size += count;
      if (!buffer.hasRemaining()) {
        writeBuffer(AlignedBuffers.BUFFER_BYTES);
        flushed = size;
        buffer.clear();
      }
      bytes.limit(end);
    }
    failed = false;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public void sync() throws IOException {
    begin();
    writeTail();
    channel.sync();
    failed = false;
    counters.addSync(why);
  }

  /**
   * After a failed write or sync the system may have dropped the bytes and will report success the
   * next time, so nothing may follow.
   */
  private void begin() throws IOException {
    if (closed) {
      throw new IOException(file + " is closed");
    }
    if (failed) {
      throw new IOException("an earlier write or sync of " + file + " failed");
    }
    failed = true;
  }

  /** Writes what is in the buffer and not in the file. */
  private void writeTail() throws IOException {
    int tail = buffer.position();
    if (written == size) {
      return;
    }
    int padded = channel.wholeBlocks() ? AlignedBuffers.roundUp(tail) : tail;
    while (buffer.position() < padded) {
      buffer.put((byte) 0);
    }
    writeBuffer(padded);
    if (padded != tail) {
      channel.truncate(size);
    }
    buffer.clear().position(tail);
  }

  private void writeBuffer(int length) throws IOException {
    buffer.position(0).limit(length);
    channel.writeFully(buffer, flushed);
    counters.add(why, Direction.WRITE, length);
    written = size;
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    try {
      if (!failed) {
        failed = true;
        writeTail();
      }
    } finally {
      closed = true;
      buffers.give(buffer);
      channel.close();
    }
  }
}
