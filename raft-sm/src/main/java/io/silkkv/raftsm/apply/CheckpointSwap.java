package io.silkkv.raftsm.apply;

import io.silkkv.engine.io.FileSystem;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Puts a received checkpoint in the place of a replica's engine so that a crash at any moment
 * leaves either the old or the new one. The directories of a replica:
 *
 * <pre>
 * engine     what the replica uses
 * incoming   a checkpoint that is being received; may be incomplete, the next attempt goes on with it
 * ready      a complete checkpoint, to be swapped in
 * replaced   the engine before the last swap; to be deleted
 * </pre>
 *
 * <p>Ratis drops its log up to the checkpoint before the swap. That is why a complete checkpoint
 * becomes {@code ready} first and {@link #finish} runs again at every start. Not thread-safe.
 */
final class CheckpointSwap {
  private final FileSystem files;
  private final Path directory;

  /**
   * @param directory the replica's own directory, which holds nothing else
   */
  CheckpointSwap(FileSystem files, Path directory) {
    this.files = files;
    this.directory = directory;
  }

  Path engine() {
    return directory.resolve("engine");
  }

  Path incoming() {
    return directory.resolve("incoming");
  }

  private Path ready() {
    return directory.resolve("ready");
  }

  private Path replaced() {
    return directory.resolve("replaced");
  }

  /**
   * Declares that the received files are complete and durable.
   *
   * @throws IOException also when an earlier checkpoint waits to be swapped in: it is never
   *     replaced, because the log before it may be gone, and this one begins after that log
   */
  void commit() throws IOException {
    if (files.exists(ready())) {
      throw new IOException("a checkpoint waits to be swapped in: " + ready());
    }
    files.rename(incoming(), ready());
    files.syncDirectory(directory);
  }

  /**
   * Swaps a complete checkpoint in, if there is one. No engine may be open.
   *
   * @return whether there was one
   */
  boolean finish() throws IOException {
    createDirectory();
    if (!files.exists(ready())) {
      deleteDirectory(replaced());
      return false;
    }
    if (files.exists(engine())) {
      deleteDirectory(replaced());
      files.rename(engine(), replaced());
      files.syncDirectory(directory);
    }
    files.rename(ready(), engine());
    files.syncDirectory(directory);
    deleteDirectory(replaced());
    return true;
  }

  /** Makes the name of the engine's directory durable, after the engine created it. */
  void syncNames() throws IOException {
    files.syncDirectory(directory);
  }

  /**
   * The names of this directory and its parent are synced at every start, because a process that
   * ended right after creating them may not have come so far.
   */
  private void createDirectory() throws IOException {
    files.createDirectories(directory);
    Path parent = directory.toAbsolutePath().getParent();
    for (int level = 0; level < 2 && parent != null; level++) {
      files.syncDirectory(parent);
      parent = parent.getParent();
    }
  }

  /** Engines and checkpoints are flat, so one level is enough. */
  private void deleteDirectory(Path target) throws IOException {
    if (!files.exists(target)) {
      return;
    }
    for (String name : files.list(target)) {
      files.delete(target.resolve(name));
    }
    files.delete(target);
    files.syncDirectory(directory);
  }
}
