package io.silkkv.node.storage;

import io.silkkv.engine.io.FileSystem;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.ReadableFile;
import io.silkkv.engine.io.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The locked data directory of a node.
 *
 * <pre>
 * data-dir/
 *   LOCK            held while a process uses the directory
 *   IDENTITY        who owns it, see {@link Identity}
 *   SHARD_MAP       the newest shard map this node has seen (protobuf silkkv.v1.ShardMap)
 *   raft/           Raft logs, one directory per shard
 *   raft-removed/   Raft logs of replicas that were removed
 *   shards/ID/      engine files of each shard
 * </pre>
 *
 * <p>Opening is for one thread; reading and writing the shard map is thread-safe.
 */
public final class DataDirectory implements AutoCloseable {
  private static final String LOCK_FILE = "LOCK";
  private static final String IDENTITY_FILE = "IDENTITY";
  private static final String SHARD_MAP_FILE = "SHARD_MAP";

  private final FileSystem fileSystem;
  private final Path root;
  private final FileChannel lockChannel;

  private DataDirectory(FileSystem fileSystem, Path root, FileChannel lockChannel) {
    this.fileSystem = fileSystem;
    this.root = root;
    this.lockChannel = lockChannel;
  }

  /**
   * Locks the directory and checks that it belongs to this node, or claims it when it is empty.
   *
   * @param owner who this process is
   * @param bootstrap whether an empty directory may be claimed
   * @throws DataDirectoryException when it is locked, of another owner, of another format, or empty
   *     without leave to claim it
   * @throws IOException when the disk fails
   */
  public static DataDirectory open(
      FileSystem fileSystem, Path root, Identity owner, boolean bootstrap) throws IOException {
    fileSystem.createDirectories(root);
    FileChannel lockChannel = lock(root);
    boolean opened = false;
    try {
      DataDirectory directory = new DataDirectory(fileSystem, root, lockChannel);
      directory.checkOwner(owner, bootstrap);
      opened = true;
      return directory;
    } finally {
      if (!opened) {
        lockChannel.close();
      }
    }
  }

  private static FileChannel lock(Path root) throws IOException {
    FileChannel channel =
        FileChannel.open(
            root.resolve(LOCK_FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    @Nullable FileLock lock = null;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // This process holds it already: the same answer as for another process.
      lock = null;
    } finally {
      if (lock == null) {
        channel.close();
      }
    }
    if (lock == null) {
      throw new DataDirectoryException(
          DataDirectoryException.Kind.LOCKED,
          "data directory "
              + root
              + " is in use by another process; stop that node, or give this one its own"
              + " node.data-dir");
    }
    return channel;
  }

  private void checkOwner(Identity owner, boolean bootstrap) throws IOException {
    Path file = root.resolve(IDENTITY_FILE);
    if (fileSystem.exists(file)) {
      Identity found = Identity.parse(file, new String(read(file), StandardCharsets.UTF_8));
      if (!found.equals(owner)) {
        throw new DataDirectoryException(
            DataDirectoryException.Kind.FOREIGN,
            "data directory "
                + root
                + " belongs to "
                + found
                + ", but this is "
                + owner
                + "; point node.data-dir at this node's own directory");
      }
      return;
    }
    List<String> contents = fileSystem.list(root);
    if (!Set.of(LOCK_FILE, IDENTITY_FILE + ".new").containsAll(contents)) {
      throw new DataDirectoryException(
          DataDirectoryException.Kind.FOREIGN,
          "data directory "
              + root
              + " holds other files ("
              + contents.stream().filter(name -> !name.equals(LOCK_FILE)).toList()
              + ") and no "
              + IDENTITY_FILE
              + "; point node.data-dir at an empty directory or at this node's own");
    }
    if (!bootstrap) {
      throw new DataDirectoryException(
          DataDirectoryException.Kind.WIPED,
          "data directory "
              + root
              + " is empty and cluster.bootstrap is false. A node that lost its disk must not"
              + " rejoin under its old name, because it may have promised votes and writes that it"
              + " no longer knows. Restore the directory, or set cluster.bootstrap=true if this is"
              + " the first start of a new cluster");
    }
    replace(IDENTITY_FILE, owner.format().getBytes(StandardCharsets.UTF_8));
  }

  public Path root() {
    return root;
  }

  /** The newest shard map that this node stored, as protobuf bytes; null before the first. */
  public synchronized byte @Nullable [] readShardMap() throws IOException {
    Path file = root.resolve(SHARD_MAP_FILE);
    return fileSystem.exists(file) ? read(file) : null;
  }

  /** What to say when the stored shard map makes no sense. */
  public DataDirectoryException damagedShardMap(Exception cause) {
    return new DataDirectoryException(
        DataDirectoryException.Kind.CORRUPT,
        root.resolve(SHARD_MAP_FILE)
            + " is damaged ("
            + cause.getMessage()
            + "); it is only a copy: remove it, and the node reads the map from the meta shard");
  }

  /** Durably replaces the stored shard map. */
  public synchronized void writeShardMap(byte[] map) throws IOException {
    replace(SHARD_MAP_FILE, map);
  }

  private byte[] read(Path file) throws IOException {
    try (ReadableFile readable = fileSystem.open(file)) {
      ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(readable.size()));
      readable.read(0, bytes, IoClass.RECOVERY);
      return bytes.array();
    }
  }

  /** Write beside, sync, rename over, sync the directory: the old or the new, never a mixture. */
  private void replace(String name, byte[] bytes) throws IOException {
    Path draft = root.resolve(name + ".new");
    if (fileSystem.exists(draft)) {
      fileSystem.delete(draft);
    }
    try (WritableFile file = fileSystem.create(draft, IoClass.LOG)) {
      file.write(ByteBuffer.wrap(bytes));
      file.sync();
    }
    fileSystem.rename(draft, root.resolve(name));
    fileSystem.syncDirectory(root);
  }

  /** Releases the lock. */
  @Override
  public void close() throws IOException {
    lockChannel.close();
  }
}
