package io.silkkv.engine.sstable;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.ValueKind;
import io.silkkv.engine.base.Varint;
import java.util.Arrays;

/**
 * Packs entries into a block of the {@code entries} kind of {@link SSTableFormat}. The caller adds
 * them in internal order. Reused block after block. Not thread-safe.
 */
final class BlockBuilder {
  private final int restartInterval;
  private final ByteSink bytes;
  private int[] restarts = new int[16];
  private int restartCount;
  private int entryCount;
  private long baseSequence;
  private byte[] lastKey = new byte[64];
  private int lastKeyLength;
  private long lastSequence;

  BlockBuilder(int restartInterval, int expectedBytes) {
    this.restartInterval = restartInterval;
    this.bytes = new ByteSink(expectedBytes);
  }

  boolean isEmpty() {
    return entryCount == 0;
  }

  /** Bytes of the block if it were closed now and stored as it is, trailer included. */
  int sizeBytes() {
    return bytes.size() + Integer.BYTES * (restartCount + 1) + SSTableFormat.TRAILER_BYTES;
  }

  void add(Slice key, long sequence, ValueKind kind, Slice value) {
    int shared = 0;
    if (entryCount == 0) {
      baseSequence = sequence;
      bytes.putVarint(sequence);
    }
    if (entryCount % restartInterval == 0) {
      addRestart();
    } else {
      shared = sharedWithLastKey(key);
    }
    int suffixLength = key.length() - shared;
    bytes.putVarint(shared);
    bytes.putVarint(suffixLength);
    bytes.putVarint(value.length());
    bytes.putVarint(
        (Varint.zigZag(sequence - baseSequence) << SSTableFormat.KIND_BITS) | kind.code());
    bytes.put(key.array(), key.offset() + shared, suffixLength);
    bytes.put(value);
    rememberLast(key, shared, sequence);
    entryCount++;
  }

  /** Key of the last entry added since {@link #reset}; valid until the next is added. */
  Slice lastKey() {
    return Slice.wrap(lastKey, 0, lastKeyLength);
  }

  /** Sequence of the last entry added since {@link #reset}. */
  long lastSequence() {
    return lastSequence;
  }

  /** Closes the block and returns its contents, which stay valid until {@link #reset}. */
  ByteSink finish() {
    for (int i = 0; i < restartCount; i++) {
      bytes.putInt(restarts[i]);
    }
    bytes.putInt(restartCount);
    return bytes;
  }

  void reset() {
    bytes.clear();
    restartCount = 0;
    entryCount = 0;
    lastKeyLength = 0;
  }

  private void addRestart() {
    if (restartCount == restarts.length) {
      restarts = Arrays.copyOf(restarts, 2 * restartCount);
    }
    restarts[restartCount++] = bytes.size();
  }

  private int sharedWithLastKey(Slice key) {
    int mismatch =
        Arrays.mismatch(
            lastKey, 0, lastKeyLength, key.array(), key.offset(), key.offset() + key.length());
    return mismatch < 0 ? lastKeyLength : mismatch;
  }

  private void rememberLast(Slice key, int shared, long sequence) {
    if (key.length() > lastKey.length) {
      lastKey = Arrays.copyOf(lastKey, Math.max(key.length(), 2 * lastKey.length));
    }
    System.arraycopy(key.array(), key.offset() + shared, lastKey, shared, key.length() - shared);
    lastKeyLength = key.length();
    lastSequence = sequence;
  }
}
