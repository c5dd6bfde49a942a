package io.silkkv.engine.io;

import io.silkkv.engine.io.IoCounters.Direction;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files of the operating system. Counts what reaches it. An interrupt of the calling thread neither
 * ends an operation nor closes a file. No request is larger than 128 KiB.
 */
public final class LocalFileSystem implements FileSystem {
  private static final Logger LOG = LoggerFactory.getLogger(LocalFileSystem.class);

  private final IoCounters counters;
  private final DirectIo direct;
  private final AlignedBuffers buffers;
  private final AtomicBoolean refusalLogged = new AtomicBoolean();

  /** With {@link DirectIo#ON}. */
  public LocalFileSystem(IoCounters counters) {
    this(counters, DirectIo.ON);
  }

  /**
   * @param direct whether {@link #createUncached} and {@link #openUncached} are more than {@link
   *     #create} and {@link #open}
   */
  public LocalFileSystem(IoCounters counters, DirectIo direct) {
    this.counters = counters;
    this.direct = direct;
    this.buffers = new AlignedBuffers(direct.bufferBytes());
  }

  @Override
  public WritableFile create(Path file, IoClass why) throws IOException {
    return new LocalWritableFile(file, InterruptProofChannel.createToWrite(file), why, counters);
  }

  @Override
  public ReadableFile open(Path file) throws IOException {
    InterruptProofChannel channel = InterruptProofChannel.open(file, StandardOpenOption.READ);
    boolean done = false;
    try {
      LocalReadableFile opened = new LocalReadableFile(channel, channel.size(), counters);
      done = true;
      return opened;
    } finally {
      if (!done) {
        channel.close();
      }
    }
  }

  @Override
  public WritableFile createUncached(Path file, IoClass why) throws IOException {
    UncachedChannel channel =
        UncachedChannel.createToWrite(file, direct.enabled(), this::logRefusal);
    boolean done = false;
    try {
      WritableFile created = new GatheringWritableFile(file, channel, buffers, why, counters);
      done = true;
      return created;
    } finally {
      if (!done) {
        channel.close();
      }
    }
  }

  @Override
  public ReadableFile openUncached(Path file) throws IOException {
    UncachedChannel channel =
        direct.enabled() ? UncachedChannel.openToRead(file, this::logRefusal) : null;
    if (channel == null) {
      return open(file);
    }
    boolean done = false;
    try {
      DirectReadableFile opened =
          new DirectReadableFile(file, channel, channel.size(), buffers, counters);
      done = true;
      return opened;
    } finally {
      if (!done) {
        channel.close();
      }
    }
  }

  private void logRefusal(Path file, Exception reason) {
    if (refusalLogged.compareAndSet(false, true)) {
      LOG.info(
          "{} cannot be read or written with direct I/O and goes through the page cache, as may"
              + " other files: {}",
          file,
          reason.toString());
    }
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void link(Path existing, Path link) throws IOException {
    Files.createLink(link, existing);
  }

  @Override
  public void delete(Path path) throws IOException {
    Files.delete(path);
  }

  @Override
  public void createDirectories(Path directory) throws IOException {
    Path absolute = directory.toAbsolutePath().normalize();
    Deque<Path> missing = new ArrayDeque<>();
    for (Path each = absolute; each != null && !Files.isDirectory(each); each = each.getParent()) {
      missing.push(each);
    }
    for (Path each : missing) {
      // Another thread may create the same parent; only the last step must tell file from
      // directory.
      Files.createDirectories(each);
    }
    // Also the parent of a directory that exists: the process that made it may have died before it
    // could sync.
    syncParent(absolute);
    for (Path each : missing) {
      syncParent(each);
    }
  }

  private void syncParent(Path path) throws IOException {
    Path parent = path.getParent();
    if (parent != null) {
      syncDirectory(parent);
    }
  }

  @Override
  public List<String> list(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    }
  }

  @Override
  public boolean exists(Path path) {
    return Files.exists(path);
  }

  @Override
  public long size(Path file) throws IOException {
    return Files.size(file);
  }

  @Override
  public void syncDirectory(Path directory) throws IOException {
    boolean interrupted = Thread.interrupted();
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static final class LocalReadableFile implements ReadableFile {
    private final InterruptProofChannel channel;
    private final long size;
    private final IoCounters counters;

    LocalReadableFile(InterruptProofChannel channel, long size, IoCounters counters) {
      this.channel = channel;
      this.size = size;
      this.counters = counters;
    }

    @Override
    public void read(long offset, ByteBuffer target, IoClass why) throws IOException {
      int count = target.remaining();
      channel.readFully(target, offset);
      counters.add(why, Direction.READ, count);
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

  private static final class LocalWritableFile implements WritableFile {
    private final Path file;
    private final InterruptProofChannel channel;
    private final IoClass why;
    private final IoCounters counters;
    private long size;
    private boolean failed;

    LocalWritableFile(Path file, InterruptProofChannel channel, IoClass why, IoCounters counters) {
      this.file = file;
      this.channel = channel;
      this.why = why;
      this.counters = counters;
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      int count = bytes.remaining();
      begin();
      channel.writeFully(bytes, size);
      failed = false;
      size += count;
      counters.add(why, Direction.WRITE, count);
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public void sync() throws IOException {
      begin();
      channel.sync();
      failed = false;
      counters.addSync(why);
    }

    /**
     * After a failed write or sync the system may have dropped the bytes and will report success
     * the next time, so nothing may follow.
     */
    private void begin() throws IOException {
      if (failed) {
        throw new IOException("an earlier write or sync of " + file + " failed");
      }
      failed = true;
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
