package io.silkkv.engine.version;

import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.Slice;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One step from a version to the next; one record of the manifest. All parts of an edit take effect
 * together. The first record of a manifest is an edit that leads from nothing to the whole state.
 * All numbers are big endian.
 *
 * <pre>
 * edit     := field*
 * field    := 0x01 number:u64                        next free file number
 *           | 0x02 term:u64 index:i64 sequence:u64 bytes
 *                                                    flushed position and the owner's attachment
 *           | 0x03 level:u8 table                    a table is added; written by format 1
 *           | 0x04 level:u8 number:u64               a table is removed
 *           | 0x05 level:u8 table attributes         a table is added
 * table    := number:u64 fileBytes:u64 entries:u64 deletions:u64
 *             smallestSequence:u64 largestSequence:u64 bytes bytes
 *                                                    smallest and largest user key
 * attributes := count:u8 attribute*                 unknown tags are skipped
 * attribute  := tag:u8 value:u64
 *               1 = when its oldest data was flushed, in seconds since 1970
 *               2 = bytes of all keys and values
 *               3 = range deletions                   4 = deeper bytes that these cover
 *               5 = 1 when the largest key is only the end of a range
 * bytes    := length:u32 byte*
 * </pre>
 *
 * @param nextFileNumber a number that no file has used yet; 0 when the edit does not say
 * @param flushed how far the log is reflected in the tables; null when the edit does not move it
 * @param added tables that join
 * @param removed tables that leave
 */
public record VersionEdit(
    long nextFileNumber, @Nullable Flushed flushed, List<Added> added, List<Removed> removed) {

  private static final int NEXT_FILE = 1;
  private static final int FLUSHED = 2;
  private static final int ADDED = 3;
  private static final int REMOVED = 4;
  private static final int ADDED_WITH_ATTRIBUTES = 5;
  private static final int CREATED = 1;
  private static final int RAW_BYTES = 2;
  private static final int RANGES = 3;
  private static final int COVERED_BYTES = 4;
  private static final int BEHIND_END = 5;

  /**
   * How far the log is reflected in tables.
   *
   * @param position last log entry whose effects are in tables
   * @param attachment the owner's state at that position, opaque to the engine
   */
  public record Flushed(LogPosition position, Slice attachment) {
    /** Before the first flush. */
    public static final Flushed NOTHING = new Flushed(LogPosition.NONE, Slice.EMPTY);
  }

  /** A table joins a level. */
  public record Added(int level, TableMetadata table) {}

  /** A table leaves a level. */
  public record Removed(int level, long number) {}

  public VersionEdit {
    added = List.copyOf(added);
    removed = List.copyOf(removed);
  }

  /** The edit of a flush; without a table when the memtable was empty. */
  public static VersionEdit flush(Flushed flushed, @Nullable TableMetadata table) {
    List<Added> added = table == null ? List.of() : List.of(new Added(0, table));
    return new VersionEdit(0, flushed, added, List.of());
  }

  /** The edit of a compaction. */
  public static VersionEdit replace(List<Removed> removed, List<Added> added) {
    return new VersionEdit(0, null, added, removed);
  }

  /** The edit that leads from nothing to a state. */
  static VersionEdit snapshot(long nextFileNumber, Flushed flushed, Levels levels) {
    List<Added> added = new ArrayList<>();
    for (int level = 0; level < Levels.COUNT; level++) {
      for (TableMetadata table : levels.tables(level)) {
        added.add(new Added(level, table));
      }
    }
    return new VersionEdit(nextFileNumber, flushed, added, List.of());
  }

  VersionEdit withNextFileNumber(long number) {
    return new VersionEdit(number, flushed, added, removed);
  }

  byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      if (nextFileNumber != 0) {
        out.writeByte(NEXT_FILE);
        out.writeLong(nextFileNumber);
      }
      if (flushed != null) {
        out.writeByte(FLUSHED);
        out.writeLong(flushed.position.term());
        out.writeLong(flushed.position.index());
        out.writeLong(flushed.position.sequence());
        write(out, flushed.attachment);
      }
      for (Added add : added) {
        out.writeByte(ADDED_WITH_ATTRIBUTES);
        out.writeByte(add.level);
        write(out, add.table);
      }
      for (Removed remove : removed) {
        out.writeByte(REMOVED);
        out.writeByte(remove.level);
        out.writeLong(remove.number);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("memory does not fail to be written", e);
    }
    return bytes.toByteArray();
  }

  /**
   * @throws IllegalArgumentException when the bytes are not an edit; says what is wrong with them
   */
  static VersionEdit decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    long nextFileNumber = 0;
    Flushed flushed = null;
    List<Added> added = new ArrayList<>();
    List<Removed> removed = new ArrayList<>();
    try {
      while (in.hasRemaining()) {
        int field = in.get();
        switch (field) {
          case NEXT_FILE -> nextFileNumber = in.getLong();
          case FLUSHED ->
              flushed =
                  new Flushed(
                      new LogPosition(in.getLong(), in.getLong(), in.getLong()), readBytes(in));
          case ADDED -> added.add(new Added(readLevel(in), readTable(in, false)));
          case ADDED_WITH_ATTRIBUTES -> added.add(new Added(readLevel(in), readTable(in, true)));
          case REMOVED -> removed.add(new Removed(readLevel(in), in.getLong()));
          default -> throw new IllegalArgumentException("unknown field " + field);
        }
      }
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("the edit ends within a field", e);
    }
    return new VersionEdit(nextFileNumber, flushed, added, removed);
  }

  private static void write(DataOutputStream out, TableMetadata table) throws IOException {
    out.writeLong(table.number());
    out.writeLong(table.fileBytes());
    out.writeLong(table.entries());
    out.writeLong(table.deletions());
    out.writeLong(table.smallestSequence());
    out.writeLong(table.largestSequence());
    write(out, table.smallest());
    write(out, table.largest());
    TableMetadata.Ranges ranges = table.ranges();
    out.writeByte(ranges.count() == 0 ? 2 : 5);
    write(out, CREATED, table.createdSeconds());
    write(out, RAW_BYTES, table.rawBytes());
    if (ranges.count() > 0) {
      write(out, RANGES, ranges.count());
      write(out, COVERED_BYTES, ranges.coveredBytes());
      write(out, BEHIND_END, ranges.behindEnd() ? 1 : 0);
    }
  }

  private static void write(DataOutputStream out, int tag, long value) throws IOException {
    out.writeByte(tag);
    out.writeLong(value);
  }

  private static void write(DataOutputStream out, Slice bytes) throws IOException {
    out.writeInt(bytes.length());
    out.write(bytes.array(), bytes.offset(), bytes.length());
  }

  private static int readLevel(ByteBuffer in) {
    int level = in.get();
    if (level < 0 || level >= Levels.COUNT) {
      throw new IllegalArgumentException("there is no level " + level);
    }
    return level;
  }

  private static TableMetadata readTable(ByteBuffer in, boolean withAttributes) {
    long number = in.getLong();
    long fileBytes = in.getLong();
    long entries = in.getLong();
    long deletions = in.getLong();
    long smallestSequence = in.getLong();
    long largestSequence = in.getLong();
    Slice smallest = readBytes(in);
    Slice largest = readBytes(in);
    long[] values = new long[BEHIND_END + 1];
    int attributes = withAttributes ? in.get() & 0xff : 0;
    for (int i = 0; i < attributes; i++) {
      int tag = in.get();
      long value = in.getLong();
      // What a later release adds is a hint that this one can do without.
      if (tag >= 0 && tag < values.length) {
        values[tag] = value;
      }
    }
    return new TableMetadata(
        number,
        fileBytes,
        entries,
        deletions,
        smallestSequence,
        largestSequence,
        smallest,
        largest,
        values[CREATED],
        values[RAW_BYTES],
        new TableMetadata.Ranges(values[RANGES], values[BEHIND_END] != 0, values[COVERED_BYTES]));
  }

  private static Slice readBytes(ByteBuffer in) {
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new IllegalArgumentException(
          "a byte string of length " + Integer.toUnsignedString(length) + " leaves the edit");
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return Slice.wrap(bytes);
  }
}
