package io.silkkv.engine.sstable;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.cache.BlockCache.Kind;
import io.silkkv.engine.io.IoClass;
import org.jspecify.annotations.Nullable;

/**
 * Looks up keys of one table. Keeps the blocks that the last key took, so keys in order share them.
 * Not thread-safe.
 */
public final class TableLookup {
  private static final int NONE = -1;

  private final SSTableReader table;
  private final TopIndex top;
  private final IoClass why;
  private final boolean memoryOnly;
  private final BlockIterator index;
  private final BlockIterator data;

  private Slice filter = Slice.EMPTY;
  private int filterAt = NONE;
  private int indexAt = NONE;
  private long dataAt = NONE;

  /**
   * @param memoryOnly whether to give up where a file would have to be read
   */
  TableLookup(SSTableReader table, IoClass why, boolean memoryOnly) {
    this.table = table;
    this.top = table.top();
    this.why = why;
    this.memoryOnly = memoryOnly;
    this.index = new BlockIterator(table.name());
    this.data = new BlockIterator(table.name());
  }

  /**
   * The newest entry of a key that is not newer than {@code sequence}; null when there is none;
   * {@link Found#UNKNOWN} when only the file can tell and must not be read.
   */
  public @Nullable Found find(Slice key, long sequence) {
    int at = top.find(key, sequence);
    if (at == top.size()) {
      return null;
    }
    TopIndex.Partition partition = top.get(at);
    if (partition.filter() != null) {
      if (!openFilter(at, partition.filter())) {
        return Found.UNKNOWN;
      }
      if (!table.passes(filter, partition.filter(), BloomFilter.hash(key))) {
        return null;
      }
    }
    if (!openIndex(at, partition.index())) {
      return Found.UNKNOWN;
    }
    index.seek(key, sequence);
    if (!index.valid()) {
      throw table.endsEarly(partition);
    }
    if (!openData(table.handleAt(index))) {
      return Found.UNKNOWN;
    }
    data.seek(key, sequence);
    if (!data.valid() || !data.keyEquals(key)) {
      return null;
    }
    return new Found(data.kind(), data.sequence(), data.value());
  }

  private boolean openFilter(int at, BlockHandle handle) {
    if (filterAt != at) {
      Slice block = block(handle, Kind.META);
      if (block == null) {
        return false;
      }
      filter = block;
      filterAt = at;
    }
    return true;
  }

  private boolean openIndex(int at, BlockHandle handle) {
    if (indexAt != at) {
      Slice block = block(handle, Kind.META);
      if (block == null) {
        return false;
      }
      indexAt = NONE;
      index.open(block, handle.offset());
      indexAt = at;
    }
    return true;
  }

  private boolean openData(BlockHandle handle) {
    if (dataAt != handle.offset()) {
      Slice block = block(handle, Kind.DATA);
      if (block == null) {
        return false;
      }
      dataAt = NONE;
      data.open(block, handle.offset());
      dataAt = handle.offset();
    }
    return true;
  }

  private @Nullable Slice block(BlockHandle handle, Kind kind) {
    return memoryOnly ? table.cached(handle, kind) : table.block(handle, kind, why);
  }
}
