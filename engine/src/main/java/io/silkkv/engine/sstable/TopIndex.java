package io.silkkv.engine.sstable;

import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.Varint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of a table and the key at which each ends. All that an open table keeps of its
 * index and filter; some 150 bytes for each partition, which stands for megabytes of data.
 * Immutable.
 */
final class TopIndex {
  /**
   * A run of data blocks with an index and a filter of its own.
   *
   * @param lastKey key of the last entry of its index, together with {@code lastSequence} at or
   *     behind all entries of its data
   * @param index where its index is
   * @param filter where its filter is, or null
   */
  record Partition(
      Slice lastKey, long lastSequence, BlockHandle index, @Nullable BlockHandle filter) {

    /** Whether the last entry of the index is before (key, sequence). */
    boolean endsBefore(Slice key, long sequence) {
      int order = lastKey.compareTo(key);
      return order < 0 || (order == 0 && lastSequence > sequence);
    }
  }

  private final Partition[] partitions;
  private final int blockBytes;

  private TopIndex(Partition[] partitions, int blockBytes) {
    this.partitions = partitions;
    this.blockBytes = blockBytes;
  }

  /**
   * Reads the contents of the block and checks that partitions follow each other without gaps and
   * fill the parts that the footer gives them.
   *
   * @param file name of the table, for messages
   */
  static TopIndex decode(Slice block, Footer footer, String file) {
    BlockIterator entries = new BlockIterator(file);
    entries.open(block, footer.top());
    List<Partition> partitions = new ArrayList<>();
    long indexAt = footer.indexes();
    long filterAt = footer.filters();
    for (entries.seekToFirst(); entries.valid(); entries.next()) {
      Partition next = partition(entries, footer.hasFilters());
      BlockHandle filter = next.filter();
      if (next.index().offset() != indexAt
          || next.index().end() > footer.top()
          || (filter != null && (filter.offset() != filterAt || filter.end() > footer.indexes()))) {
        throw entries.corruptEntry("partitions do not adjoin: " + next);
      }
      if (!partitions.isEmpty()
          && !partitions.get(partitions.size() - 1).endsBefore(next.lastKey, next.lastSequence)) {
        throw entries.corruptEntry("partitions are out of order: " + next);
      }
      indexAt = next.index().end();
      filterAt = filter == null ? filterAt : filter.end();
      partitions.add(next);
    }
    if (indexAt != footer.top() || filterAt != footer.indexes()) {
      throw new CorruptionException(file, footer.top(), "partitions do not fill their part");
    }
    return new TopIndex(partitions.toArray(new Partition[0]), block.array().length);
  }

  private static Partition partition(BlockIterator entry, boolean hasFilter) {
    ByteBuffer value = entry.value().toByteBuffer();
    try {
      BlockHandle index = BlockHandle.read(value);
      BlockHandle filter = hasFilter ? BlockHandle.read(value) : null;
      if (value.hasRemaining()) {
        throw new IllegalArgumentException("bytes behind the handles");
      }
      return new Partition(entry.key().copy(), entry.sequence(), index, filter);
    } catch (IllegalArgumentException e) {
      throw entry.corruptEntry("in the top index: " + e.getMessage());
    }
  }

  /** The value of an entry. */
  static Slice encode(BlockHandle index, @Nullable BlockHandle filter) {
    byte[] bytes = new byte[4 * Varint.MAX_BYTES];
    int end = index.write(bytes, 0);
    if (filter != null) {
      end = filter.write(bytes, end);
    }
    return Slice.wrap(Arrays.copyOf(bytes, end));
  }

  /** Number of partitions. */
  int size() {
    return partitions.length;
  }

  /** Partitions are numbered in the order of their keys, from 0. */
  Partition get(int number) {
    return partitions[number];
  }

  /** The first partition that does not end before (key, sequence); {@link #size} if none. */
  int find(Slice key, long sequence) {
    int low = 0;
    int high = partitions.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (partitions[middle].endsBefore(key, sequence)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Heap that it takes. */
  long memoryBytes() {
    return blockBytes + 150L * partitions.length;
  }
}
