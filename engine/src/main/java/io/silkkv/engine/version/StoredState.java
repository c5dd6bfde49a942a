package io.silkkv.engine.version;

import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.io.FileSystem;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.ReadableFile;
import io.silkkv.engine.record.RecordReader;
import java.io.IOException;
import java.nio.file.Path;

/**
 * What the files of an engine directory say, for tools that look at it while no engine has it open.
 * Changes nothing.
 *
 * @param manifest name of the manifest in use
 * @param flushed how far the tables reflect the log
 * @param levels the tables
 */
public record StoredState(String manifest, VersionEdit.Flushed flushed, Levels levels) {
  /** Takes the edits of a manifest. */
  @FunctionalInterface
  public interface EditConsumer {
    /**
     * @param offset of the edit in the file
     */
    void accept(long offset, VersionEdit edit);
  }

  /**
   * Reads CURRENT and the manifest that it names.
   *
   * @throws CorruptionException when one of them is missing or damaged
   */
  public static StoredState read(FileSystem files, Path directory) throws IOException {
    if (!files.exists(directory.resolve(FileNames.CURRENT))) {
      throw new CorruptionException(
          directory.resolve(FileNames.CURRENT).toString(),
          -1,
          "it is missing, so this is no engine directory");
    }
    String manifest = CurrentFile.read(files, directory);
    Manifest.State state = Manifest.read(files, directory.resolve(manifest));
    return new StoredState(manifest, state.flushed(), state.levels());
  }

  /**
   * Reads the edits of a manifest one by one.
   *
   * @return whether the file ends within an edit, as after a crash
   * @throws CorruptionException when it is damaged
   */
  public static boolean readEdits(FileSystem files, Path manifest, EditConsumer edits)
      throws IOException {
    try (ReadableFile file = files.open(manifest)) {
      RecordReader reader =
          new RecordReader(file, manifest.toString(), Manifest.FORMAT, IoClass.SCRUB);
      long offset = reader.offset();
      for (byte[] record = reader.next(); record != null; record = reader.next()) {
        try {
          edits.accept(offset, VersionEdit.decode(record));
        } catch (IllegalArgumentException e) {
          throw new CorruptionException(
              manifest.toString(), offset, String.valueOf(e.getMessage()));
        }
        offset = reader.offset();
      }
      return reader.endedTorn();
    }
  }
}
