package io.silkkv.engine.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.engine.io.FileSystem;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.ReadableFile;
import io.silkkv.engine.io.WritableFile;
import io.silkkv.engine.testkit.MemNode.Directory;
import io.silkkv.engine.testkit.MemNode.RegularFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A file system in memory that knows what would survive a crash of the machine.
 *
 * <p>Of a file, the bytes up to the last sync are durable. Of a directory, its names at its last
 * sync are; later creations, renames, links and deletions are pending, in order. {@link
 * #crashClone} makes the file system that a restarted machine might find. Relative paths start at
 * the working directory, which need not exist on the real disk. Thread-safe.
 *
 * <p>A rename between directories is durable at its source only when it is at its target, as on
 * journaling file systems: a crash may leave both names, never none.
 */
public final class MemFileSystem implements FileSystem {
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final Directory root;

  /** Every directory ever made, in order, so that a seed always leads to the same crash. */
  @GuardedBy("lock")
  private final List<Directory> directories;

  public MemFileSystem() {
    this(new Directory());
  }

  private MemFileSystem(Directory root) {
    this.root = root;
    this.directories = root.withAllBelow();
  }

  /**
   * What a machine that crashes now may find when it starts again: everything that was synced; of
   * each directory also its next pending changes, any number of them; of each file also a part of
   * the bytes that were not synced, possibly with garbage at its end. This file system does not
   * change, the new one shares nothing with it.
   */
  public MemFileSystem crashClone(RandomGenerator random) {
    synchronized (lock) {
      return new MemFileSystem(Crash.random(random, directories).cloneOf(root));
    }
  }

  /** What a machine finds that loses everything that was not synced. */
  public MemFileSystem crashCloneLosingAll() {
    synchronized (lock) {
      return new MemFileSystem(Crash.losingAll().cloneOf(root));
    }
  }

  @Override
  public WritableFile create(Path file, IoClass why) throws IOException {
    synchronized (lock) {
      Directory parent = parentOf(file);
      String name = nameOf(file);
      if (parent.get(name) != null) {
        throw new FileAlreadyExistsException(file.toString());
      }
      RegularFile created = new RegularFile();
      parent.change(MemNode.Change.add(name, created));
      return new Writer(file, created);
    }
  }

  @Override
  public ReadableFile open(Path file) throws IOException {
    synchronized (lock) {
      RegularFile opened = fileAt(file);
      return new Reader(file, opened, opened.size());
    }
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    synchronized (lock) {
      Directory source = parentOf(from);
      MemNode moved = existing(from);
      Directory target = parentOf(to);
      MemNode replaced = target.get(nameOf(to));
      if (replaced == moved) {
        return;
      }
      checkReplaceable(moved, replaced, to);
      if (source == target) {
        source.change(MemNode.Change.rename(nameOf(from), nameOf(to), moved));
      } else {
        MemNode.Change arrival = MemNode.Change.add(nameOf(to), moved);
        target.change(arrival);
        source.change(MemNode.Change.departure(nameOf(from), arrival));
      }
    }
  }

  private static void checkReplaceable(MemNode moved, @Nullable MemNode replaced, Path to)
      throws IOException {
    if (replaced == null) {
      return;
    }
    if (replaced instanceof Directory directory) {
      if (!(moved instanceof Directory)) {
        throw new FileSystemException(to.toString(), null, "Is a directory");
      }
      if (!directory.isEmpty()) {
        throw new DirectoryNotEmptyException(to.toString());
      }
    } else if (moved instanceof Directory) {
      throw new FileSystemException(to.toString(), null, "Not a directory");
    }
  }

  @Override
  public void link(Path existing, Path link) throws IOException {
    synchronized (lock) {
      RegularFile linked = fileAt(existing);
      Directory parent = parentOf(link);
      if (parent.get(nameOf(link)) != null) {
        throw new FileAlreadyExistsException(link.toString());
      }
      parent.change(MemNode.Change.add(nameOf(link), linked));
    }
  }

  @Override
  public void delete(Path path) throws IOException {
    synchronized (lock) {
      if (existing(path) instanceof Directory directory && !directory.isEmpty()) {
        throw new DirectoryNotEmptyException(path.toString());
      }
      parentOf(path).change(MemNode.Change.remove(nameOf(path)));
    }
  }

  @Override
  public void createDirectories(Path directory) throws IOException {
    synchronized (lock) {
      Path path = absolute(directory);
      Directory current = root;
      int left = path.getNameCount();
      for (Path name : path) {
        left--;
        MemNode next = current.get(name.toString());
        boolean created = next == null;
        if (next == null) {
          Directory added = new Directory();
          directories.add(added);
          current.change(MemNode.Change.add(name.toString(), added));
          next = added;
        }
        // As on a real disk: new names, and the last one even when it is old, but nothing else.
        if (created || left == 0) {
          current.sync();
        }
        if (!(next instanceof Directory found)) {
          throw new FileAlreadyExistsException(directory.toString());
        }
        current = found;
      }
    }
  }

  @Override
  public List<String> list(Path directory) throws IOException {
    synchronized (lock) {
      return directoryAt(directory).names();
    }
  }

  @Override
  public boolean exists(Path path) {
    synchronized (lock) {
      return find(path) != null;
    }
  }

  @Override
  public long size(Path file) throws IOException {
    synchronized (lock) {
      return fileAt(file).size();
    }
  }

  @Override
  public void syncDirectory(Path directory) throws IOException {
    synchronized (lock) {
      directoryAt(directory).sync();
    }
  }

  /** Flips bits of one byte of a file, on "disk" too, as rot would. */
  public void corrupt(Path file, long offset, int mask) throws IOException {
    synchronized (lock) {
      fileAt(file).flip(Math.toIntExact(offset), mask);
    }
  }

  /** Cuts a file, on "disk" too. */
  public void truncate(Path file, long size) throws IOException {
    synchronized (lock) {
      fileAt(file).truncate(Math.toIntExact(size));
    }
  }

  private static Path absolute(Path path) {
    return path.toAbsolutePath().normalize();
  }

  private static String nameOf(Path path) throws IOException {
    Path name = absolute(path).getFileName();
    if (name == null) {
      throw new FileSystemException(path.toString(), null, "is the root");
    }
    return name.toString();
  }

  @GuardedBy("lock")
  private @Nullable MemNode find(Path path) {
    MemNode current = root;
    for (Path name : absolute(path)) {
      current = current instanceof Directory directory ? directory.get(name.toString()) : null;
      if (current == null) {
        return null;
      }
    }
    return current;
  }

  @GuardedBy("lock")
  private MemNode existing(Path path) throws IOException {
    MemNode found = find(path);
    if (found == null) {
      throw new NoSuchFileException(path.toString());
    }
    return found;
  }

  @GuardedBy("lock")
  private Directory directoryAt(Path path) throws IOException {
    if (existing(path) instanceof Directory directory) {
      return directory;
    }
    throw new NotDirectoryException(path.toString());
  }

  @GuardedBy("lock")
  private RegularFile fileAt(Path path) throws IOException {
    if (existing(path) instanceof RegularFile file) {
      return file;
    }
    throw new FileSystemException(path.toString(), null, "Is a directory");
  }

  @GuardedBy("lock")
  private Directory parentOf(Path path) throws IOException {
    Path parent = absolute(path).getParent();
    if (parent == null || !(find(parent) instanceof Directory directory)) {
      throw new NoSuchFileException(path.toString());
    }
    return directory;
  }

  private final class Reader implements ReadableFile {
    private final Path path;
    private final RegularFile file;
    private final long size;
    private volatile boolean closed;

    Reader(Path path, RegularFile file, long size) {
      this.path = path;
      this.file = file;
      this.size = size;
    }

    @Override
    public void read(long offset, ByteBuffer target, IoClass why) throws IOException {
      synchronized (lock) {
        if (closed) {
          throw new ClosedChannelException();
        }
        if (offset < 0 || offset + target.remaining() > file.size()) {
          throw new EOFException(
              path
                  + " ends at "
                  + file.size()
                  + "; wanted "
                  + target.remaining()
                  + " bytes from "
                  + offset);
        }
        file.read((int) offset, target);
      }
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private final class Writer implements WritableFile {
    private final Path path;
    private final RegularFile file;
    private boolean closed;
    private long size;

    Writer(Path path, RegularFile file) {
      this.path = path;
      this.file = file;
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      checkOpen();
      synchronized (lock) {
        size += bytes.remaining();
        file.append(bytes);
      }
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public void sync() throws IOException {
      checkOpen();
      synchronized (lock) {
        file.sync();
      }
    }

    private void checkOpen() throws IOException {
      if (closed) {
        throw new IOException(path + " is closed");
      }
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
