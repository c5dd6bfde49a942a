package io.silkkv.engine.io;

import io.silkkv.engine.io.IoCounters.Direction;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Reads past the page cache: whole blocks around what is wanted, at most 128 KiB per request, into
 * a pooled buffer, and from there what is wanted. Counts the whole blocks, for those the device
 * moved. Thread-safe.
 */
final class DirectReadableFile implements ReadableFile {
  private final Path file;
  private final UncachedChannel channel;
  private final long size;
  private final AlignedBuffers buffers;
  private final IoCounters counters;

  DirectReadableFile(
      Path file, UncachedChannel channel, long size, AlignedBuffers buffers, IoCounters counters) {
    this.file = file;
    this.channel = channel;
    this.size = size;
    this.buffers = buffers;
    this.counters = counters;
  }

  @Override
  public void read(long offset, ByteBuffer target, IoClass why) throws IOException {
    if (offset < 0 || target.remaining() > size - offset) {
      throw new EOFException(
          file
              + " ends at "
              + size
              + "; wanted "
              + target.remaining()
              + " bytes from offset "
              + offset);
    }
    ByteBuffer buffer = buffers.takeForRead();
    try {
      for (long at = offset; target.hasRemaining(); ) {
        at += readSome(at, target, buffer, why);
      }
    } finally {
      buffers.giveAfterRead(buffer);
    }
  }

  /** One request; returns how many bytes of it went to the target. */
  private int readSome(long offset, ByteBuffer target, ByteBuffer buffer, IoClass why)
      throws IOException {
    int lead = (int) (offset & (AlignedBuffers.ALIGNMENT - 1));
    int wanted = Math.min(target.remaining(), AlignedBuffers.BUFFER_BYTES - lead);
    buffer.clear().limit(AlignedBuffers.roundUp(lead + wanted));
    channel.readAtLeast(lead + wanted, buffer, offset - lead);
    counters.add(why, Direction.READ, buffer.position());
    target.put(buffer.limit(lead + wanted).position(lead));
    return wanted;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
