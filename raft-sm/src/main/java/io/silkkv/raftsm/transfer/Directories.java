package io.silkkv.raftsm.transfer;

import io.silkkv.engine.io.FileSystem;
import java.io.IOException;
import java.nio.file.Path;

/** Removal of flat directories. */
final class Directories {
  private Directories() {}

  /** Removes a directory of files; does nothing when it does not exist. */
  static void delete(FileSystem files, Path directory) throws IOException {
    if (!files.exists(directory)) {
      return;
    }
    clear(files, directory);
    files.delete(directory);
  }

  /** Removes the files of a directory. */
  static void clear(FileSystem files, Path directory) throws IOException {
    for (String name : files.list(directory)) {
      files.delete(directory.resolve(name));
    }
  }
}
