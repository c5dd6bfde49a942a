package io.silkkv.engine.version;

import io.silkkv.engine.io.FileSystem;
import io.silkkv.engine.io.IoClass;
import java.io.IOException;
import java.nio.file.Path;

/** Makes a directory that holds the tables of a state one that an engine can be opened from. */
public final class DirectoryImage {
  private DirectoryImage() {}

  /**
   * Writes a manifest with the whole state, then CURRENT. Returns when a crash cannot undo it.
   *
   * @param directory holds all tables of the state
   * @param manifestNumber greater than the number of every table
   */
  public static void write(
      FileSystem files, Path directory, VersionSet.Durable state, long manifestNumber)
      throws IOException {
    String name = FileNames.manifest(manifestNumber);
    VersionEdit whole =
        VersionEdit.snapshot(manifestNumber + 1, state.flushed(), state.version().levels());
    Manifest.create(files, directory.resolve(name), whole, IoClass.METADATA).close();
    CurrentFile.write(files, directory, name, IoClass.METADATA);
  }
}
