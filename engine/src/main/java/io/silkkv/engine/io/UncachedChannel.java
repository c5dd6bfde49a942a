package io.silkkv.engine.io;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.sun.nio.file.ExtendedOpenOption;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A channel past the page cache where that is possible, for requests from {@link AlignedBuffers}.
 * Some file systems refuse direct I/O when a file is opened, others only at the first transfer;
 * until one has succeeded, a failure is answered by trying the usual way, and if that works the
 * file goes on so. Afterwards a failure is the disk's, and is not tried again. Thread-safe.
 */
final class UncachedChannel implements AutoCloseable {
  /** Told why a file goes through the page cache. */
  @FunctionalInterface
  interface Refusal {
    void because(Path file, Exception reason);
  }

  private final Path file;
  private final StandardOpenOption mode;
  private final Refusal refusal;
  private final boolean wholeBlocks;
  private volatile InterruptProofChannel channel;

  /** Whether a transfer has succeeded. */
  private volatile boolean proven;

  /** The direct channel after it was given up; other threads may be in it until the end. */
  @GuardedBy("this")
  private @Nullable InterruptProofChannel refused;

  /**
   * @param wholeBlocks whether the channel is direct
   */
  UncachedChannel(
      Path file,
      StandardOpenOption mode,
      Refusal refusal,
      InterruptProofChannel channel,
      boolean wholeBlocks) {
    this.file = file;
    this.mode = mode;
    this.refusal = refusal;
    this.channel = channel;
    this.wholeBlocks = wholeBlocks;
    this.proven = !wholeBlocks;
  }

  /**
   * Opens a file that exists.
   *
   * @return null when the file system does not take direct I/O
   * @throws NoSuchFileException when there is no such file
   */
  static @Nullable UncachedChannel openToRead(Path file, Refusal refusal) throws IOException {
    InterruptProofChannel direct = openDirect(file, StandardOpenOption.READ, refusal);
    return direct == null
        ? null
        : new UncachedChannel(file, StandardOpenOption.READ, refusal, direct, true);
  }

  /**
   * Creates a file.
   *
   * @param tryDirect false for one that goes through the page cache from the start
   */
  static UncachedChannel createToWrite(Path file, boolean tryDirect, Refusal refusal)
      throws IOException {
    // In two steps: where direct I/O is refused, an open in one step may leave the file behind.
    InterruptProofChannel cached = InterruptProofChannel.createToWrite(file);
    InterruptProofChannel direct = null;
    try {
      direct = tryDirect ? openDirect(file, StandardOpenOption.WRITE, refusal) : null;
    } finally {
      if (direct != null) {
        cached.close();
      }
    }
    return new UncachedChannel(
        file, StandardOpenOption.WRITE, refusal, direct != null ? direct : cached, direct != null);
  }

  private static @Nullable InterruptProofChannel openDirect(
      Path file, StandardOpenOption mode, Refusal refusal) throws IOException {
    try {
      return InterruptProofChannel.open(file, mode, ExtendedOpenOption.DIRECT);
    } catch (NoSuchFileException e) {
      throw e;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      refusal.because(file, e);
      return null;
    }
  }

  /** Whether offsets and lengths must be multiples of the alignment. */
  boolean wholeBlocks() {
    return wholeBlocks;
  }

  /**
   * Reads into an empty buffer until it holds {@code needed} bytes or more.
   *
   * @param offset as the buffer's limit, a multiple of the alignment
   * @throws EOFException when the file ends before
   */
  void readAtLeast(int needed, ByteBuffer target, long offset) throws IOException {
    int limit = target.limit();
    transfer(
        current -> {
          target.clear().limit(limit);
          current.readAtLeast(needed, target, offset);
        });
  }

  /** Writes a buffer from its start to its limit. */
  void writeFully(ByteBuffer source, long offset) throws IOException {
    transfer(
        current -> {
          source.rewind();
          current.writeFully(source, offset);
        });
  }

  void truncate(long size) throws IOException {
    channel.truncate(size);
  }

  /** Makes the bytes and the length durable. */
  void sync() throws IOException {
    channel.syncAll();
  }

  long size() throws IOException {
    return channel.size();
  }

  @Override
  public void close() throws IOException {
    InterruptProofChannel left;
    synchronized (this) {
      left = refused;
      refused = null;
    }
    try {
      if (left != null) {
        left.close();
      }
    } finally {
      channel.close();
    }
  }

  /** A transfer that can be made again from its start. */
  @FunctionalInterface
  private interface Transfer {
    void on(InterruptProofChannel channel) throws IOException;
  }

  private void transfer(Transfer transfer) throws IOException {
    InterruptProofChannel current = channel;
    try {
      transfer.on(current);
      proven = true;
    } catch (EOFException | ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      if (proven) {
        throw e;
      }
      retryCached(transfer, current, e);
    }
  }

  private void retryCached(Transfer transfer, InterruptProofChannel direct, IOException reason)
      throws IOException {
    InterruptProofChannel cached = null;
    boolean used = false;
    try {
      cached = InterruptProofChannel.open(file, mode);
      transfer.on(cached);
      used = goOnWith(cached, direct);
    } catch (IOException e) {
      reason.addSuppressed(e);
      throw reason;
    } finally {
      if (cached != null && !used) {
        cached.close();
      }
    }
    refusal.because(file, reason);
    proven = true;
  }

  private synchronized boolean goOnWith(
      InterruptProofChannel cached, InterruptProofChannel direct) {
    if (channel != direct) {
      return false;
    }
    refused = direct;
    channel = cached;
    return true;
  }
}
