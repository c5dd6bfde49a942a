package io.silkkv.ops.bench.engine;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.LongSupplier;

/**
 * Finds out what the device carries by writing and reading a file past the page cache; so the limit
 * that was set is also the limit that is there.
 */
final class DeviceProbe {
  private static final int BLOCK_BYTES = 1 << 20;
  private static final long MOST_BYTES = 256L << 20;

  private final LongSupplier nanoClock;

  /**
   * What was found.
   *
   * @param writeBytesPerSecond of sequential direct writes
   * @param readBytesPerSecond of sequential direct reads
   */
  record Result(double writeBytesPerSecond, double readBytesPerSecond) {}

  DeviceProbe(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /**
   * Takes about as long as the time given for each direction, less on a device that is faster than
   * {@value #MOST_BYTES} bytes in that time.
   *
   * @throws UnsupportedOperationException when the file system knows no direct I/O
   */
  Result run(Path directory, double seconds) throws IOException {
    FileStore store = Files.getFileStore(directory);
    int align = (int) store.getBlockSize();
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES + align).alignedSlice(align);
    Path file = directory.resolve("device-probe");
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.READ,
            StandardOpenOption.DELETE_ON_CLOSE,
            ExtendedOpenOption.DIRECT)) {
      long nanos = (long) (seconds * 1e9);
      long written = 0;
      long began = nanoClock.getAsLong();
      while (written < MOST_BYTES && nanoClock.getAsLong() - began < nanos) {
        written += channel.write(block.clear().limit(BLOCK_BYTES), written);
      }
      double write = written / seconds(began);
      long read = 0;
      began = nanoClock.getAsLong();
      while (read < written && nanoClock.getAsLong() - began < nanos) {
        read += channel.read(block.clear().limit(BLOCK_BYTES), read);
      }
      return new Result(write, read / seconds(began));
    }
  }

  private double seconds(long began) {
    return Math.max(1, nanoClock.getAsLong() - began) / 1e9;
  }
}
