package io.silkkv.engine.version;

import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.api.FormatTooNewException;
import io.silkkv.engine.api.FormatTooOldException;
import io.silkkv.engine.io.FileSystem;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.ReadableFile;
import io.silkkv.engine.record.RecordFormat;
import io.silkkv.engine.record.RecordReader;
import io.silkkv.engine.record.RecordWriter;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log of version edits in the framing of {@link RecordFormat}, with the magic {@code SILKVMAN}.
 * The first record holds the whole state, so a manifest stands on its own. A manifest of an earlier
 * run is never appended to: its end may be torn.
 */
final class Manifest implements AutoCloseable {
  static final RecordFormat FORMAT = new RecordFormat("SILKVMAN", 1, 2);

  private static final Logger LOG = LoggerFactory.getLogger(Manifest.class);

  private final Path path;
  private final RecordWriter writer;
  private final long stateBytes;

  private Manifest(Path path, RecordWriter writer) {
    this.path = path;
    this.writer = writer;
    this.stateBytes = writer.size();
  }

  /** What the edits of a manifest add up to. */
  record State(long nextFileNumber, VersionEdit.Flushed flushed, Levels levels, long records) {}

  /** Writes a new manifest that holds a state, and makes its content (not its name) durable. */
  static Manifest create(FileSystem files, Path path, VersionEdit state, IoClass why)
      throws IOException {
    RecordWriter writer = new RecordWriter(files.create(path, why), FORMAT);
    boolean done = false;
    try {
      writer.append(state.encode());
      writer.sync();
      done = true;
      return new Manifest(path, writer);
    } finally {
      if (!done) {
        writer.close();
      }
    }
  }

  /** Appends an edit and makes it durable. After a failure the manifest must not be used again. */
  void append(VersionEdit edit) throws IOException {
    writer.append(edit.encode());
    writer.sync();
  }

  Path path() {
    return path;
  }

  long size() {
    return writer.size();
  }

  /** Size that it had with nothing but the state it starts from. */
  long stateBytes() {
    return stateBytes;
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }

  /**
   * Reads a manifest.
   *
   * @throws CorruptionException when it is missing, damaged, or its edits do not fit each other
   * @throws FormatTooNewException when a newer release wrote it
   * @throws FormatTooOldException when an older release wrote it
   */
  static State read(FileSystem files, Path path) throws IOException {
    try (ReadableFile file = files.open(path)) {
      RecordReader reader = new RecordReader(file, path.toString(), FORMAT, IoClass.RECOVERY);
      Sum sum = new Sum();
      long offset = reader.offset();
      for (byte[] record = reader.next(); record != null; record = reader.next()) {
        sum.add(record, path, offset);
        offset = reader.offset();
      }
      if (reader.endedTorn()) {
        LOG.info("{} ends with an edit that was never made durable, at offset {}", path, offset);
      }
      if (sum.records == 0) {
        throw new CorruptionException(path.toString(), offset, "it holds no state");
      }
      return sum.state(path, offset);
    } catch (NoSuchFileException e) {
      throw new CorruptionException(
          path.toString(), -1, FileNames.CURRENT + " names this manifest but the file is missing");
    }
  }

  /** Adds edits up, in the order of the manifest. */
  private static final class Sum {
    private final Levels.Builder levels = new Levels.Builder();
    private VersionEdit.Flushed flushed = VersionEdit.Flushed.NOTHING;
    private long nextFileNumber;
    private long records;

    void add(byte[] record, Path path, long offset) {
      try {
        VersionEdit edit = VersionEdit.decode(record);
        levels.apply(edit);
        nextFileNumber = Math.max(nextFileNumber, edit.nextFileNumber());
        VersionEdit.Flushed moved = edit.flushed();
        flushed = moved == null ? flushed : moved;
        records++;
      } catch (IllegalArgumentException e) {
        throw new CorruptionException(path.toString(), offset, String.valueOf(e.getMessage()));
      }
    }

    State state(Path path, long end) {
      try {
        return new State(nextFileNumber, flushed, levels.build(), records);
      } catch (IllegalArgumentException e) {
        throw new CorruptionException(path.toString(), end, String.valueOf(e.getMessage()));
      }
    }
  }
}
