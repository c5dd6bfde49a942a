package io.silkkv.engine.checkpoint;

import io.silkkv.engine.api.EngineIoException;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.io.FileSystem;
import io.silkkv.engine.version.DirectoryImage;
import io.silkkv.engine.version.FileNames;
import io.silkkv.engine.version.Levels;
import io.silkkv.engine.version.TableFile;
import io.silkkv.engine.version.VersionSet;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;

/**
 * Links the durable state of an engine into a directory of its own. CURRENT comes last, so a
 * directory that holds it is complete, and one without it is not taken for an engine. Holds no
 * lock: the pinned version keeps the files.
 */
public final class CheckpointWriter {
  private final FileSystem files;

  public CheckpointWriter(FileSystem files) {
    this.files = files;
  }

  /**
   * Writes a checkpoint. When it fails, what it wrote so far is removed again.
   *
   * @param target a directory that does not exist yet, on the same file system
   * @return the position that the checkpoint holds
   * @throws EngineIoException when the target exists or the file system fails; the engine itself is
   *     not harmed
   */
  public LogPosition write(VersionSet versions, Path target) {
    VersionSet.Durable state = versions.pin();
    try {
      if (files.exists(target)) {
        throw new FileAlreadyExistsException(target.toString());
      }
      fill(target, state, versions.newFileNumber());
    } catch (IOException e) {
      throw new EngineIoException("write checkpoint " + target, e);
    } finally {
      state.version().release();
    }
    return state.flushed().position();
  }

  private void fill(Path target, VersionSet.Durable state, long manifestNumber) throws IOException {
    try {
      files.createDirectories(target);
      for (int level = 0; level < Levels.COUNT; level++) {
        for (TableFile table : state.version().tables(level)) {
          String name = FileNames.table(table.metadata().number());
          files.link(table.path(), target.resolve(name));
        }
      }
      DirectoryImage.write(files, target, state, manifestNumber);
    } catch (IOException e) {
      try {
        remove(target);
      } catch (IOException removing) {
        e.addSuppressed(removing);
      }
      throw e;
    }
  }

  private void remove(Path target) throws IOException {
    if (files.exists(target)) {
      for (String name : files.list(target)) {
        files.delete(target.resolve(name));
      }
      files.delete(target);
    }
  }
}
