package io.silkkv.engine.sstable;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.ValueKind;
import io.silkkv.engine.iterator.InternalIterator;

/**
 * A position in a table: one in its index and one in the data block that the index entry names.
 * After an exception it has no position, and a seek revives it. Not thread-safe.
 */
final class TableIterator implements InternalIterator {
  private static final long NO_BLOCK = -1;

  private final SSTableReader table;
  private final BlockSource source;
  private final IndexIterator index;
  private final BlockIterator data;
  private long loadedOffset = NO_BLOCK;

  /**
   * @param indexes source of index partitions
   * @param source of data blocks
   */
  TableIterator(SSTableReader table, BlockSource indexes, BlockSource source) {
    this.table = table;
    this.source = source;
    this.index = new IndexIterator(table, indexes);
    this.data = new BlockIterator(table.name());
  }

  @Override
  public boolean valid() {
    return data.valid();
  }

  @Override
  public void seekToFirst() {
    data.unposition();
    index.seekToFirst();
    load();
    data.seekToFirst();
  }

  @Override
  public void seekToLast() {
    data.unposition();
    index.seekToLast();
    load();
    data.seekToLast();
  }

  @Override
  public void seek(Slice userKey, long sequence) {
    data.unposition();
    index.seek(userKey, sequence);
    if (!index.valid()) {
      unload();
      return;
    }
    load();
    data.seek(userKey, sequence);
    if (!data.valid()) {
      // The index key lies between this block and the next, and the target between both.
      nextBlock();
    }
  }

  @Override
  public void seekForPrev(Slice userKey, long sequence) {
    seek(userKey, sequence);
    if (!valid()) {
      seekToLast();
    } else if (data.compareTo(userKey, sequence) > 0) {
      prev();
    }
  }

  @Override
  public void next() {
    checkValid();
    data.next();
    if (!data.valid()) {
      nextBlock();
    }
  }

  @Override
  public void prev() {
    checkValid();
    data.prev();
    if (data.valid()) {
      return;
    }
    index.prev();
    if (index.valid()) {
      load();
      data.seekToLast();
    } else {
      unload();
    }
  }

  @Override
  public Slice key() {
    checkValid();
    return data.key();
  }

  @Override
  public long sequence() {
    checkValid();
    return data.sequence();
  }

  @Override
  public ValueKind kind() {
    checkValid();
    return data.kind();
  }

  @Override
  public Slice value() {
    checkValid();
    return data.value();
  }

  @Override
  public void close() {
    index.leave();
    unload();
  }

  private void nextBlock() {
    index.next();
    if (index.valid()) {
      load();
      data.seekToFirst();
    } else {
      unload();
    }
  }

  /** Points {@link #data} at the block of the index entry; a block at hand is kept. */
  private void load() {
    BlockHandle handle = index.handle();
    if (handle.offset() != loadedOffset) {
      unload();
      source.load(handle, data);
      loadedOffset = handle.offset();
    }
  }

  private void unload() {
    data.leave();
    loadedOffset = NO_BLOCK;
  }

  private void checkValid() {
    if (!data.valid()) {
      throw new IllegalStateException("iterator of " + table.name() + " has no position");
    }
  }
}
