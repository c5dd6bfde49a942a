package io.silkkv.engine.sstable;

import io.silkkv.engine.api.Slice;

/**
 * A position among the data blocks of a table: a partition, and an entry of its index. After an
 * exception it has no position, and a seek revives it. Not thread-safe.
 */
final class IndexIterator {
  private static final int NONE = -1;

  private final SSTableReader table;
  private final TopIndex top;
  private final BlockSource source;
  private final BlockIterator entries;

  /** Number of the partition whose index {@link #entries} holds. */
  private int at = NONE;

  /**
   * @param source of index partitions
   */
  IndexIterator(SSTableReader table, BlockSource source) {
    this.table = table;
    this.top = table.top();
    this.source = source;
    this.entries = new BlockIterator(table.name());
  }

  boolean valid() {
    return entries.valid();
  }

  /** Where the data block is. Requires {@link #valid}. */
  BlockHandle handle() {
    return table.handleAt(entries);
  }

  void seekToFirst() {
    load(0);
    entries.seekToFirst();
  }

  void seekToLast() {
    load(top.size() - 1);
    entries.seekToLast();
  }

  /** Moves to the first block that can hold an entry at or after (key, sequence). */
  void seek(Slice key, long sequence) {
    int found = top.find(key, sequence);
    if (found == top.size()) {
      leave();
      return;
    }
    load(found);
    entries.seek(key, sequence);
    if (!entries.valid()) {
      throw table.endsEarly(top.get(found));
    }
  }

  /** Requires {@link #valid}. */
  void next() {
    entries.next();
    if (!entries.valid() && at + 1 < top.size()) {
      load(at + 1);
      entries.seekToFirst();
    }
  }

  /** Requires {@link #valid}. */
  void prev() {
    entries.prev();
    if (!entries.valid() && at > 0) {
      load(at - 1);
      entries.seekToLast();
    }
  }

  void leave() {
    entries.leave();
    at = NONE;
  }

  private void load(int partition) {
    if (partition != at) {
      leave();
      source.load(top.get(partition).index(), entries);
      at = partition;
    } else {
      entries.unposition();
    }
  }
}
