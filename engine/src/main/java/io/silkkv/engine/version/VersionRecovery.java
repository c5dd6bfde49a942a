package io.silkkv.engine.version;

import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.api.EngineIoException;
import io.silkkv.engine.io.FileSystem;
import io.silkkv.engine.io.IoClass;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * From an engine directory to a {@link VersionSet}: CURRENT, then the manifest it names, then the
 * tables that the manifest names. Every start writes a new manifest and removes what no version
 * names: results of unfinished jobs, replaced manifests.
 */
public final class VersionRecovery {
  private static final long FIRST_FILE_NUMBER = 1;

  private final FileSystem files;
  private final Path directory;
  private final TableStore store;
  private final ObsoleteFiles obsoleteFiles;

  private VersionRecovery(
      FileSystem files, Path directory, TableStore store, ObsoleteFiles obsoleteFiles) {
    this.files = files;
    this.directory = directory;
    this.store = store;
    this.obsoleteFiles = obsoleteFiles;
  }

  /**
   * Opens a directory, or makes a new one when it is missing or empty.
   *
   * @param rollBytes size of a manifest beyond which a new one is started
   * @throws CorruptionException when a file is damaged or missing
   * @throws io.silkkv.engine.api.UnsupportedFormatException when another release wrote a file in a
   *     format that this one does not read
   * @throws EngineIoException when the file system fails
   */
  public static VersionSet open(
      FileSystem files,
      Path directory,
      TableStore store,
      ObsoleteFiles obsoleteFiles,
      long rollBytes) {
    try {
      return new VersionRecovery(files, directory, store, obsoleteFiles).open(rollBytes);
    } catch (IOException e) {
      throw new EngineIoException("open the engine in " + directory, e);
    }
  }

  private VersionSet open(long rollBytes) throws IOException {
    files.createDirectories(directory);
    List<String> names = files.list(directory);
    Manifest.State state;
    if (names.contains(FileNames.CURRENT)) {
      state = Manifest.read(files, directory.resolve(CurrentFile.read(files, directory)));
    } else {
      removeUnfinishedCreation(names);
      names = List.of();
      state = new Manifest.State(FIRST_FILE_NUMBER, VersionEdit.Flushed.NOTHING, Levels.EMPTY, 0);
    }
    AtomicLong next = new AtomicLong(firstFreeNumber(state.nextFileNumber(), names));
    Version version = openVersion(state.levels());
    Manifest manifest = null;
    boolean done = false;
    try {
      String name = FileNames.manifest(next.getAndIncrement());
      manifest =
          Manifest.create(
              files,
              directory.resolve(name),
              VersionEdit.snapshot(next.get(), state.flushed(), state.levels()),
              IoClass.METADATA);
      CurrentFile.write(files, directory, name, IoClass.METADATA);
      removeOrphans(names, state.levels());
      done = true;
      return new VersionSet(
          files,
          directory,
          rollBytes,
          next,
          obsoleteFiles,
          manifest,
          new VersionSet.Durable(version, state.flushed()));
    } finally {
      if (!done) {
        version.release();
        closeAfterFailure(manifest);
      }
    }
  }

  /**
   * Without CURRENT there is nothing in the directory, or what a crash during its creation left.
   * Anything more means that CURRENT got lost, and starting anew would lose the data.
   */
  private void removeUnfinishedCreation(List<String> names) throws IOException {
    String first = FileNames.manifest(FIRST_FILE_NUMBER);
    for (String name : names) {
      boolean manifest = FileNames.manifestNumber(name).isPresent();
      if (FileNames.tableNumber(name).isPresent() || (manifest && !name.equals(first))) {
        throw new CorruptionException(
            directory.resolve(FileNames.CURRENT).toString(),
            -1,
            "it is missing, but the directory holds " + name);
      }
    }
    if (names.contains(first)) {
      files.delete(directory.resolve(first));
    }
  }

  /** Beyond every number that the manifest or a leftover file of an unfinished job has used. */
  private static long firstFreeNumber(long recorded, List<String> names) {
    long next = recorded;
    for (String name : names) {
      next = Math.max(next, FileNames.tableNumber(name).orElse(0) + 1);
      next = Math.max(next, FileNames.manifestNumber(name).orElse(0) + 1);
    }
    return next;
  }

  /** Opens all tables; closes what it opened when one of them cannot be. */
  private Version openVersion(Levels levels) {
    List<TableFile> opened = new ArrayList<>();
    try {
      Map<Long, TableFile> open = new HashMap<>();
      for (List<TableMetadata> tables : levels.byLevel()) {
        for (TableMetadata table : tables) {
          TableFile file = store.open(table, IoClass.RECOVERY);
          opened.add(file);
          open.put(table.number(), file);
        }
      }
      return Version.of(levels, open);
    } finally {
      opened.forEach(TableFile::release);
    }
  }

  /** Files with names that are not ours stay: somebody put them there. */
  private void removeOrphans(List<String> names, Levels levels) throws IOException {
    Set<String> live = new HashSet<>();
    levels
        .byLevel()
        .forEach(level -> level.forEach(table -> live.add(FileNames.table(table.number()))));
    for (String name : names) {
      boolean ours =
          FileNames.tableNumber(name).isPresent() || FileNames.manifestNumber(name).isPresent();
      if (ours && !live.contains(name)) {
        files.delete(directory.resolve(name));
      }
    }
  }

  private static void closeAfterFailure(@Nullable Manifest manifest) throws IOException {
    if (manifest != null) {
      manifest.close();
    }
  }
}
