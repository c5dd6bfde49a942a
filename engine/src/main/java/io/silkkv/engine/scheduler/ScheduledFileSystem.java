package io.silkkv.engine.scheduler;

import io.silkkv.engine.io.FileSystem;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.ReadableFile;
import io.silkkv.engine.io.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * Files of a volume that is shared: internal work waits for tokens before each piece that it reads
 * or writes, clients pass. Holds no lock.
 */
final class ScheduledFileSystem implements FileSystem {
  private final FileSystem files;
  private final IoScheduler scheduler;
  private final boolean limitsReads;

  ScheduledFileSystem(FileSystem files, IoScheduler scheduler, boolean limitsReads) {
    this.files = files;
    this.scheduler = scheduler;
    this.limitsReads = limitsReads;
  }

  @Override
  public WritableFile create(Path file, IoClass why) throws IOException {
    return scheduled(files.create(file, why), why);
  }

  @Override
  public WritableFile createUncached(Path file, IoClass why) throws IOException {
    return scheduled(files.createUncached(file, why), why);
  }

  private WritableFile scheduled(WritableFile created, IoClass why) {
    return why.isThrottled() ? new ScheduledWritableFile(created, why) : created;
  }

  @Override
  public ReadableFile open(Path file) throws IOException {
    return scheduled(files.open(file));
  }

  @Override
  public ReadableFile openUncached(Path file) throws IOException {
    return scheduled(files.openUncached(file));
  }

  private ReadableFile scheduled(ReadableFile opened) {
    return limitsReads ? new ScheduledReadableFile(opened) : opened;
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    files.rename(from, to);
  }

  @Override
  public void link(Path existing, Path link) throws IOException {
    files.link(existing, link);
  }

  @Override
  public void delete(Path path) throws IOException {
    files.delete(path);
  }

  @Override
  public void createDirectories(Path directory) throws IOException {
    files.createDirectories(directory);
  }

  @Override
  public List<String> list(Path directory) throws IOException {
    return files.list(directory);
  }

  @Override
  public boolean exists(Path path) throws IOException {
    return files.exists(path);
  }

  @Override
  public long size(Path file) throws IOException {
    return files.size(file);
  }

  @Override
  public void syncDirectory(Path directory) throws IOException {
    files.syncDirectory(directory);
  }

  /** What may be done with one piece of a buffer. */
  @FunctionalInterface
  private interface Piece {
    /**
     * @param done bytes of the buffer that came before
     */
    void move(int done) throws IOException;
  }

  /** Goes through the rest of a buffer in pieces, each of them granted before it moves. */
  private void inPieces(ByteBuffer buffer, IoClass why, Piece piece) throws IOException {
    int start = buffer.position();
    int end = buffer.limit();
    try {
      for (int at = start; at < end; at = buffer.position()) {
        int length = Math.min(IoRequest.MAX_BYTES, end - at);
        scheduler.acquire(why, length);
        buffer.limit(at + length);
        piece.move(at - start);
      }
    } finally {
      buffer.limit(end);
    }
  }

  private final class ScheduledReadableFile implements ReadableFile {
    private final ReadableFile file;

    ScheduledReadableFile(ReadableFile file) {
      this.file = file;
    }

    @Override
    public void read(long offset, ByteBuffer target, IoClass why) throws IOException {
      if (why.isThrottled()) {
        inPieces(target, why, done -> file.read(offset + done, target, why));
      } else {
        file.read(offset, target, why);
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

  private final class ScheduledWritableFile implements WritableFile {
    private final WritableFile file;
    private final IoClass why;

    ScheduledWritableFile(WritableFile file, IoClass why) {
      this.file = file;
      this.why = why;
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      inPieces(bytes, why, done -> file.write(bytes));
    }

    @Override
    public long size() {
      return file.size();
    }

    @Override
    public void sync() throws IOException {
      file.sync();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
