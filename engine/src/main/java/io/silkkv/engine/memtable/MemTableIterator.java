package io.silkkv.engine.memtable;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.ValueKind;
import io.silkkv.engine.iterator.InternalIterator;
import org.jspecify.annotations.Nullable;

/**
 * A position in a memtable. Keys and values are copied to the heap when they are first asked for,
 * into buffers that the next position uses again.
 */
final class MemTableIterator implements InternalIterator {
  private static final int FIRST_KEY_BYTES = 64;

  private final MemTable table;
  private final SkipList list;

  private byte[] keyBuffer = new byte[FIRST_KEY_BYTES];
  private byte[] valueBuffer = {};
  private @Nullable Slice key;
  private @Nullable Slice value;
  private int node = SkipList.NONE;
  private boolean closed;

  MemTableIterator(MemTable table, SkipList list) {
    this.table = table;
    this.list = list;
  }

  @Override
  public boolean valid() {
    return node != SkipList.NONE;
  }

  @Override
  public void seekToFirst() {
    checkOpen();
    moveTo(list.first());
  }

  @Override
  public void seekToLast() {
    checkOpen();
    moveTo(list.last());
  }

  @Override
  public void seek(Slice userKey, long sequence) {
    checkOpen();
    moveTo(list.atOrAfter(userKey, sequence));
  }

  @Override
  public void seekForPrev(Slice userKey, long sequence) {
    checkOpen();
    // Internal order has newer before older: "at or before s" is "before s - 1".
    moveTo(list.before(userKey, sequence - 1));
  }

  @Override
  public void next() {
    checkValid();
    moveTo(list.after(node));
  }

  @Override
  public void prev() {
    checkValid();
    moveTo(list.before(key(), list.sequence(node)));
  }

  private void moveTo(int target) {
    node = target;
    key = null;
    value = null;
  }

  @Override
  public Slice key() {
    Slice known = key;
    if (known != null) {
      return known;
    }
    checkValid();
    int length = list.keyLength(node);
    if (length > keyBuffer.length) {
      keyBuffer = new byte[Math.max(length, 2 * keyBuffer.length)];
    }
    list.copyKey(node, keyBuffer);
    Slice copy = Slice.wrap(keyBuffer, 0, length);
    key = copy;
    return copy;
  }

  @Override
  public long sequence() {
    checkValid();
    return list.sequence(node);
  }

  @Override
  public ValueKind kind() {
    checkValid();
    return list.kind(node);
  }

  @Override
  public Slice value() {
    Slice known = value;
    if (known != null) {
      return known;
    }
    checkValid();
    int length = list.valueLength(node);
    if (length > valueBuffer.length) {
      valueBuffer = new byte[Math.max(length, 2 * valueBuffer.length)];
    }
    list.copyValue(node, valueBuffer);
    Slice copy = Slice.wrap(valueBuffer, 0, length);
    value = copy;
    return copy;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      moveTo(SkipList.NONE);
      table.release();
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("iterator is closed");
    }
  }

  private void checkValid() {
    if (node == SkipList.NONE) {
      throw new IllegalStateException("iterator has no position");
    }
  }
}
