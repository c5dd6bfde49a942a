package io.silkkv.engine.sstable;

import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.LittleEndian;
import io.silkkv.engine.base.ValueKind;
import io.silkkv.engine.base.Varint;
import java.util.Arrays;

/**
 * A position among the entries of one block ({@code entries} of {@link SSTableFormat}). {@link
 * #open} moves it to another block, so that a scan needs only one. Every length is checked before
 * it is used: a block whose checksum is right but whose writer was wrong is corrupt, not a crash.
 * Not thread-safe.
 */
final class BlockIterator {
  private static final byte[] NO_BYTES = {};
  private static final int NOWHERE = -1;

  private final String file;

  // The block. Positions are indexes into the array.
  private byte[] array = NO_BYTES;
  private int start;
  private int entriesStart;
  private int entriesEnd;
  private int restartCount;
  private long baseSequence;
  private long fileOffset;

  // The entry. The key lies in the block where it is stored whole, else in the buffer.
  private int entryAt = NOWHERE;
  private int nextAt;
  private int restartIndex;
  private byte[] keyArray = NO_BYTES;
  private int keyAt;
  private int keyLength;
  private byte[] keyBuffer = NO_BYTES;
  private long sequence;
  private ValueKind kind = ValueKind.DELETE;
  private int valueAt;
  private int valueLength;

  // Where the next number is read.
  private int readAt;

  /**
   * @param file name of the table, for messages
   */
  BlockIterator(String file) {
    this.file = file;
  }

  /**
   * Moves to a block, without position in it.
   *
   * @param array holds the contents of the block from {@code start} on; not changed until the
   *     iterator moves elsewhere
   * @param length of the contents
   * @param fileOffset where the block is in the file
   */
  void open(byte[] array, int start, int length, long fileOffset) {
    leave();
    int end = start + length;
    this.array = array;
    this.start = start;
    this.fileOffset = fileOffset;
    if (length < 2 * Integer.BYTES) {
      throw corrupt(start, "too short for entries");
    }
    restartCount = LittleEndian.getInt(array, end - Integer.BYTES);
    long restartsStart = end - (restartCount + 1L) * Integer.BYTES;
    if (restartCount < 1 || restartsStart <= start) {
      throw corrupt(end - Integer.BYTES, "impossible number of restarts " + restartCount);
    }
    entriesEnd = (int) restartsStart;
    readAt = start;
    baseSequence = readLong();
    entriesStart = readAt;
    if (restartAt(0) != entriesStart) {
      throw corrupt(entriesEnd, "the first restart is not the first entry");
    }
  }

  /** {@link #open(byte[], int, int, long)} of a block that a slice holds. */
  void open(Slice block, long offset) {
    open(block.array(), block.offset(), block.length(), offset);
  }

  /** Gives up the position but keeps the block. */
  void unposition() {
    entryAt = NOWHERE;
  }

  /** Gives up the position and the block. */
  void leave() {
    entryAt = NOWHERE;
    restartCount = 0;
    keyArray = NO_BYTES;
    keyLength = 0;
    array = NO_BYTES;
  }

  boolean valid() {
    return entryAt != NOWHERE;
  }

  void seekToFirst() {
    if (restartCount > 0) {
      decodeRestart(0);
    }
  }

  void seekToLast() {
    if (restartCount > 0) {
      decodeRestart(restartCount - 1);
      while (nextAt < entriesEnd) {
        decode(nextAt);
      }
    }
  }

  /** Moves to the first entry at or after (key, sequence), if the block has one. */
  void seek(Slice key, long newest) {
    int low = 0;
    int high = restartCount - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      decodeRestart(middle);
      if (compareTo(key, newest) < 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    if (restartCount > 0) {
      decodeRestart(low);
      while (valid() && compareTo(key, newest) < 0) {
        next();
      }
    }
  }

  /** Requires {@link #valid}. */
  void next() {
    if (nextAt >= entriesEnd) {
      entryAt = NOWHERE;
      return;
    }
    decode(nextAt);
    if (restartIndex + 1 < restartCount && entryAt >= restartAt(restartIndex + 1)) {
      restartIndex++;
    }
  }

  /** Requires {@link #valid}. Decodes forward from the restart before, as keys build on those. */
  void prev() {
    int target = entryAt;
    if (target == entriesStart) {
      entryAt = NOWHERE;
      return;
    }
    int restart = restartIndex;
    while (restart > 0 && restartAt(restart) >= target) {
      restart--;
    }
    decodeRestart(restart);
    while (nextAt < target) {
      decode(nextAt);
    }
    if (nextAt != target) {
      throw corrupt(target, "entries do not line up with restarts");
    }
  }

  /** Order of the entry relative to (key, sequence): newer versions come first. */
  int compareTo(Slice key, long otherSequence) {
    int order =
        Arrays.compareUnsigned(
            keyArray,
            keyAt,
            keyAt + keyLength,
            key.array(),
            key.offset(),
            key.offset() + key.length());
    return order != 0 ? order : Long.compare(otherSequence, sequence);
  }

  boolean keyEquals(Slice key) {
    return Arrays.equals(
        keyArray, keyAt, keyAt + keyLength, key.array(), key.offset(), key.offset() + key.length());
  }

  /** Valid until the next move. */
  Slice key() {
    return Slice.wrap(keyArray, keyAt, keyLength);
  }

  long sequence() {
    return sequence;
  }

  ValueKind kind() {
    return kind;
  }

  /** A view into the block. */
  Slice value() {
    return Slice.wrap(array, valueAt, valueLength);
  }

  /** The error that the current entry is wrong. */
  CorruptionException corruptEntry(String detail) {
    return corrupt(entryAt, detail);
  }

  private void decodeRestart(int restart) {
    keyLength = 0;
    restartIndex = restart;
    decode(restartAt(restart));
  }

  private int restartAt(int restart) {
    int at = entriesEnd + restart * Integer.BYTES;
    int offset = LittleEndian.getInt(array, at);
    if (offset < entriesStart - start || offset >= entriesEnd - start) {
      throw corrupt(at, "restart " + restart + " leaves the block: " + offset);
    }
    return start + offset;
  }

  private void decode(int at) {
    entryAt = NOWHERE;
    readAt = at;
    int shared = readInt();
    int suffixLength = readInt();
    valueLength = readInt();
    long tag = readLong();
    if (shared > keyLength || (long) suffixLength + valueLength > entriesEnd - readAt) {
      throw corrupt(at, "impossible lengths " + shared + ", " + suffixLength + ", " + valueLength);
    }
    sequence = baseSequence + Varint.unZigZag(tag >>> SSTableFormat.KIND_BITS);
    kind = kind((int) tag & ((1 << SSTableFormat.KIND_BITS) - 1), at);
    takeKey(shared, suffixLength);
    valueAt = readAt + suffixLength;
    nextAt = valueAt + valueLength;
    entryAt = at;
  }

  private ValueKind kind(int code, int at) {
    try {
      return ValueKind.of(code);
    } catch (IllegalArgumentException e) {
      throw corrupt(at, "impossible tag: " + e.getMessage());
    }
  }

  private void takeKey(int shared, int suffixLength) {
    if (shared == 0) {
      keyArray = array;
      keyAt = readAt;
      keyLength = suffixLength;
      return;
    }
    int length = shared + suffixLength;
    if (keyBuffer.length < length) {
      byte[] larger = new byte[Math.max(length, 2 * keyBuffer.length)];
      System.arraycopy(keyArray, keyAt, larger, 0, shared);
      keyBuffer = larger;
    } else if (keyArray != keyBuffer) {
      System.arraycopy(keyArray, keyAt, keyBuffer, 0, shared);
    }
    System.arraycopy(array, readAt, keyBuffer, shared, suffixLength);
    keyArray = keyBuffer;
    keyAt = 0;
    keyLength = length;
  }

  private int readInt() {
    int at = readAt;
    if (at < entriesEnd && array[at] >= 0) {
      readAt = at + 1;
      return array[at];
    }
    long value = readLong();
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw corrupt(at, "impossible length " + Long.toUnsignedString(value));
    }
    return (int) value;
  }

  private long readLong() {
    long value = 0;
    int at = readAt;
    for (int shift = 0; shift < Long.SIZE && at < entriesEnd; shift += 7) {
      byte next = array[at++];
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        readAt = at;
        return value;
      }
    }
    throw corrupt(readAt, "a number does not end");
  }

  private CorruptionException corrupt(int at, String detail) {
    entryAt = NOWHERE;
    return new CorruptionException(file, fileOffset + at - start, "in a block: " + detail);
  }
}
