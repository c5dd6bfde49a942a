package io.silkkv.engine.record;

import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.api.FormatTooNewException;
import io.silkkv.engine.api.FormatTooOldException;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.ReadableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a file from its start. Tells a torn end (a crash while the last record was
 * written) from damage; see {@link RecordFormat}. Not thread-safe.
 */
public final class RecordReader {
  private final ReadableFile file;
  private final String name;
  private final IoClass why;
  private long offset;
  private boolean torn;

  /**
   * Checks the file header. The caller keeps the ownership of the file.
   *
   * @param name path for messages
   * @throws CorruptionException when the header is damaged
   * @throws FormatTooNewException when a newer release wrote the file
   * @throws FormatTooOldException when an older release wrote the file
   */
  public RecordReader(ReadableFile file, String name, RecordFormat format, IoClass why)
      throws IOException {
    this.file = file;
    this.name = name;
    this.why = why;
    if (file.size() < RecordFormat.FILE_HEADER_BYTES) {
      throw new CorruptionException(
          name, 0, "the file has " + file.size() + " bytes, too few for its header");
    }
    byte[] header = read(0, RecordFormat.FILE_HEADER_BYTES);
    if (!format.hasMagic(header)) {
      throw new CorruptionException(name, 0, "it does not start with " + format.magic());
    }
    if (!RecordFormat.hasValidChecksum(header)) {
      throw new CorruptionException(name, 0, "the header does not match its checksum");
    }
    int version = RecordFormat.version(header);
    if (Integer.compareUnsigned(version, format.newest()) > 0) {
      throw new FormatTooNewException(name, version, format.newest());
    }
    if (Integer.compareUnsigned(version, format.oldest()) < 0) {
      throw new FormatTooOldException(name, version, format.oldest());
    }
    offset = RecordFormat.FILE_HEADER_BYTES;
  }

  /**
   * The next payload; null at the end of the file and at a torn record.
   *
   * @throws CorruptionException when a record is damaged
   */
  public byte @Nullable [] next() throws IOException {
    if (torn || offset == file.size()) {
      return null;
    }
    byte[] payload = readPayload();
    if (payload == null) {
      if (wholeRecordFollows()) {
        throw new CorruptionException(name, offset, "a record does not match its checksum");
      }
      torn = true;
      return null;
    }
    offset += RecordFormat.RECORD_HEADER_BYTES + payload.length;
    return payload;
  }

  /** Null when the record at the offset is damaged or cut short. */
  private byte @Nullable [] readPayload() throws IOException {
    long left = file.size() - offset - RecordFormat.RECORD_HEADER_BYTES;
    if (left < 0) {
      return null;
    }
    byte[] header = read(offset, RecordFormat.RECORD_HEADER_BYTES);
    int length = RecordFormat.payloadLength(header, 0, left);
    if (length < 0) {
      return null;
    }
    byte[] payload = read(offset + RecordFormat.RECORD_HEADER_BYTES, length);
    return RecordFormat.payloadMatches(header, 0, payload, 0, length) ? payload : null;
  }

  private boolean wholeRecordFollows() throws IOException {
    byte[] bytes = read(offset, Math.toIntExact(file.size() - offset));
    for (int at = 1; at + RecordFormat.RECORD_HEADER_BYTES <= bytes.length; at++) {
      int from = at + RecordFormat.RECORD_HEADER_BYTES;
      int length = RecordFormat.payloadLength(bytes, at, bytes.length - from);
      if (length >= 0 && RecordFormat.payloadMatches(bytes, at, bytes, from, length)) {
        return true;
      }
    }
    return false;
  }

  /** Whether {@link #next} ended at a torn record instead of the end of the file. */
  public boolean endedTorn() {
    return torn;
  }

  /** Where the next record begins, in bytes. */
  public long offset() {
    return offset;
  }

  private byte[] read(long from, int length) throws IOException {
    byte[] bytes = new byte[length];
    file.read(from, ByteBuffer.wrap(bytes), why);
    return bytes;
  }
}
