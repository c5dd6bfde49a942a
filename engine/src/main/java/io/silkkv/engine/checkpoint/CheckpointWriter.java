package io.silkkv.engine.checkpoint;

import io.silkkv.engine.api.EngineClosedException;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Links the durable state of an engine into a directory of its own. CURRENT comes last, so a
 * directory that holds it is complete, and one without it is not taken for an engine. Holds no
 * lock: the pinned version keeps the files.
 */
public final class CheckpointWriter {
  private static final Logger LOG = LoggerFactory.getLogger(CheckpointWriter.class);

  private final FileSystem files;

  public CheckpointWriter(FileSystem files) {
    this.files = files;
  }

  /**
   * Writes a checkpoint. When it fails, what it wrote so far is removed again.
   *
   * @param target a directory that does not exist yet, on the same file system
   * @return the position that the checkpoint holds
   * @throws EngineClosedException when the engine was closed meanwhile
   * @throws EngineIoException when the target exists or the file system fails; the engine itself is
   *     not harmed
   */
  public LogPosition write(VersionSet versions, Path target) {
    VersionSet.Durable state = versions.pin();
    try {
      if (files.exists(target)) {
        throw new FileAlreadyExistsException(target.toString());
      }
      fill(target, state, versions);
    } catch (IOException e) {
      checkOpen(versions, target);
      throw new EngineIoException("write checkpoint " + target, e);
    } finally {
      state.version().release();
    }
    return state.flushed().position();
  }

  private void fill(Path target, VersionSet.Durable state, VersionSet versions) throws IOException {
    boolean done = false;
    try {
      files.createDirectories(target);
      for (int level = 0; level < Levels.COUNT; level++) {
        for (TableFile table : state.version().tables(level)) {
          String name = FileNames.table(table.metadata().number());
          files.link(table.path(), target.resolve(name));
        }
      }
      checkOpen(versions, target);
      DirectoryImage.write(files, target, state, versions.newFileNumber());
      done = true;
    } finally {
      if (!done) {
        remove(target);
      }
    }
  }

  /**
   * The pinned version keeps the files but not their names: once the engine is closed, its owner
   * may put another engine into the directory, with other tables of the same names. If it is still
   * open now, all links so far lead to the right files.
   */
  private static void checkOpen(VersionSet versions, Path target) {
    if (versions.isClosed()) {
      throw new EngineClosedException("the engine that checkpoint " + target + " was taken from");
    }
  }

  private void remove(Path target) {
    try {
      if (files.exists(target)) {
        for (String name : files.list(target)) {
          files.delete(target.resolve(name));
        }
        files.delete(target);
      }
    } catch (IOException e) {
      // Without CURRENT nobody takes it for a checkpoint; what matters is why it failed before.
      LOG.warn("cannot remove the unfinished checkpoint {}", target, e);
    }
  }
}
