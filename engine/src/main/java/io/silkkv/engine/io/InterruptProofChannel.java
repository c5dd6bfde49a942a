package io.silkkv.engine.io;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file channel that survives the interruption of threads that use it. The JDK closes a {@link
 * FileChannel} when a thread is interrupted inside of it, so one cancelled reader would take a
 * shared table away from all others. Here the channel is opened again and the operation, being
 * positional, is repeated; the thread keeps its interrupt flag. Thread-safe.
 */
final class InterruptProofChannel implements AutoCloseable {
  /**
   * Most bytes per system call. The JDK copies heap buffers through a direct buffer of the same
   * size that it keeps per thread; this bounds it.
   */
  private static final int MAX_TRANSFER_BYTES = 128 * 1024;

  private final Path file;
  private final Set<OpenOption> mode;

  /** What the file system knows the file by; null where it has no such thing. */
  private final @Nullable Object identity;

  private volatile FileChannel channel;

  @GuardedBy("this")
  private boolean closed;

  private InterruptProofChannel(Path file, Set<OpenOption> mode, FileChannel channel)
      throws IOException {
    this.file = file;
    this.mode = mode;
    this.channel = channel;
    this.identity = identityOf(file);
  }

  /** Opens a file that exists. */
  static InterruptProofChannel open(Path file, OpenOption... mode) throws IOException {
    Set<OpenOption> modes = Set.of(mode);
    return wrap(file, modes, FileChannel.open(file, modes));
  }

  static InterruptProofChannel createToWrite(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    return wrap(file, Set.of(StandardOpenOption.WRITE), channel);
  }

  /** Takes over a channel that was opened for {@code file} with at least {@code mode}. */
  static InterruptProofChannel wrap(Path file, Set<OpenOption> mode, FileChannel channel)
      throws IOException {
    boolean done = false;
    try {
      InterruptProofChannel wrapped = new InterruptProofChannel(file, mode, channel);
      done = true;
      return wrapped;
    } finally {
      if (!done) {
        channel.close();
      }
    }
  }

  private static @Nullable Object identityOf(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  /** Fills the buffer from {@code offset} of the file. */
  void readFully(ByteBuffer target, long offset) throws IOException {
    int start = target.position();
    int end = target.limit();
    try {
      while (target.position() < end) {
        target.limit(Math.min(end, target.position() + MAX_TRANSFER_BYTES));
        if (proceed(current -> current.read(target, offset + target.position() - start)) < 0) {
          throw new EOFException(
              file
                  + " ends before offset "
                  + (offset + end - start)
                  + "; wanted "
                  + (end - start)
                  + " bytes from offset "
                  + offset);
        }
      }
    } finally {
      target.limit(end);
    }
  }

  /**
   * Reads until the buffer holds {@code needed} bytes or more. After a read that came short it goes
   * on at a whole block, as direct I/O must.
   */
  void readAtLeast(int needed, ByteBuffer target, long offset) throws IOException {
    while (target.position() < needed) {
      int before = target.position();
      proceed(current -> current.read(target, offset + before));
      if (target.position() < needed) {
        target.position(target.position() & -AlignedBuffers.ALIGNMENT);
        if (target.position() <= before) {
          throw new EOFException(
              file + " ends before offset " + (offset + needed) + ", as long as it was");
        }
      }
    }
  }

  /** Cuts the file. */
  void truncate(long size) throws IOException {
    proceed(
        current -> {
          current.truncate(size);
          return 0;
        });
  }

  /** Writes all remaining bytes of the buffer to {@code offset} of the file. */
  void writeFully(ByteBuffer source, long offset) throws IOException {
    int start = source.position();
    int end = source.limit();
    try {
      while (source.position() < end) {
        source.limit(Math.min(end, source.position() + MAX_TRANSFER_BYTES));
        proceed(current -> current.write(source, offset + source.position() - start));
      }
    } finally {
      source.limit(end);
    }
  }

  /** Makes the bytes durable, and of the rest what is needed to read them: their number. */
  void sync() throws IOException {
    force(false);
  }

  /** Makes all durable: after a cut, the number of bytes is not what is needed to read them. */
  void syncAll() throws IOException {
    force(true);
  }

  private void force(boolean all) throws IOException {
    proceed(
        current -> {
          current.force(all);
          return 0;
        });
  }

  long size() throws IOException {
    return proceed(FileChannel::size);
  }

  @Override
  public void close() throws IOException {
    synchronized (this) {
      closed = true;
    }
    channel.close();
  }

  /** One use of the channel; repeatable, because it says where it reads or writes. */
  @FunctionalInterface
  private interface Step {
    long on(FileChannel channel) throws IOException;
  }

  private long proceed(Step step) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        FileChannel current = channel;
        try {
          return step.on(current);
        } catch (ClosedChannelException e) {
          interrupted |= Thread.interrupted();
          reopen(current, e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private synchronized void reopen(FileChannel broken, ClosedChannelException cause)
      throws IOException {
    if (closed) {
      throw cause;
    }
    if (channel != broken) {
      return;
    }
    FileChannel opened = FileChannel.open(file, mode);
    if (!Objects.equals(identity, identityOf(file))) {
      opened.close();
      throw new FileSystemException(
          file.toString(), null, "was replaced while an interrupted thread used it");
    }
    channel = opened;
  }
}
