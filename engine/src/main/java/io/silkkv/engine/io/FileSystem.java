package io.silkkv.engine.io;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The file operations that SilkKV needs. Durability is explicit: the bytes of a file survive a
 * crash after {@link WritableFile#sync()}, and its name (creation, rename, link, deletion) survives
 * after {@link #syncDirectory} on the directory that holds it. Thread-safe.
 */
public interface FileSystem {
  /**
   * Creates a file for appending; {@link java.nio.file.FileAlreadyExistsException} if it exists.
   */
  WritableFile create(Path file, IoClass why) throws IOException;

  /** Opens a file for reading; {@link java.nio.file.NoSuchFileException} if it is missing. */
  ReadableFile open(Path file) throws IOException;

  /**
   * As {@link #create}, for a file that SilkKV reads through a cache of its own: where possible its
   * bytes go past the page cache of the system. They may wait in a buffer until the file is synced
   * or closed.
   */
  default WritableFile createUncached(Path file, IoClass why) throws IOException {
    return create(file, why);
  }

  /** As {@link #open}, where possible past the page cache of the system. */
  default ReadableFile openUncached(Path file) throws IOException {
    return open(file);
  }

  /** Moves a file, replacing the target in one step. Needs a directory sync to last. */
  void rename(Path from, Path to) throws IOException;

  /** Gives a file a second name (hard link). Needs a directory sync to last. */
  void link(Path existing, Path link) throws IOException;

  /** Removes a file or an empty directory. Needs a directory sync to last. */
  void delete(Path path) throws IOException;

  /** Creates a directory and its missing parents, durably. No error when it exists. */
  void createDirectories(Path directory) throws IOException;

  /** Names (not paths) of the entries of a directory, sorted. */
  List<String> list(Path directory) throws IOException;

  /** Whether a file or directory of that name exists. */
  boolean exists(Path path) throws IOException;

  /** Size of a file in bytes. */
  long size(Path file) throws IOException;

  /** Makes the names in a directory durable. */
  void syncDirectory(Path directory) throws IOException;
}
