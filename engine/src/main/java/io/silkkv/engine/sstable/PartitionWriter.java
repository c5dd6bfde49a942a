package io.silkkv.engine.sstable;

import io.silkkv.engine.api.PrefixRule;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.ValueKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds index and filter of a table in partitions, each for a run of data blocks. Finished ones
 * wait in memory until the data is written: about 1 % of the table. Not thread-safe.
 */
final class PartitionWriter {
  /** A finished partition; handles are relative to the begin of all indexes, or filters. */
  private record Partition(
      Slice lastKey, long lastSequence, BlockHandle index, @Nullable BlockHandle filter) {}

  /** Where the parts begin. */
  record Parts(long filters, long indexes, long top) {}

  /**
   * Most bytes of the filter of a partition, so that no filter pushes all others out of a cache.
   */
  private static final long MOST_FILTER_BYTES = 64 << 10;

  private final BlockPacker packer;
  private final int mostIndexBytes;
  private final PrefixRule prefixes;
  private final BlockBuilder index = new BlockBuilder(1, 4 << 10);
  private final BloomFilter.@Nullable Builder filter;
  private final ByteSink indexes = new ByteSink(4 << 10);
  private final ByteSink filters;
  private final ByteSink scratch = new ByteSink(64);
  private final List<Partition> partitions = new ArrayList<>();
  private long topKeyBytes;

  /** The last prefix that the filter took. */
  private Slice prefix = Slice.EMPTY;

  PartitionWriter(BlockPacker packer, SSTableOptions options) {
    this.packer = packer;
    this.mostIndexBytes = options.blockBytes() / 4;
    this.prefixes = options.prefixes();
    this.filter =
        options.bloomBitsPerKey() > 0 ? new BloomFilter.Builder(options.bloomBitsPerKey()) : null;
    this.filters = new ByteSink(filter == null ? 1 : 16 << 10);
  }

  /**
   * Takes the key of an entry of the data block being filled.
   *
   * @param isNew whether it differs from the key before
   */
  void addKey(Slice key, boolean isNew) {
    // A key whose versions lie in two partitions is in both filters.
    if (filter != null && (isNew || filter.isEmpty())) {
      filter.add(key);
      Slice next = prefixes.of(key);
      if (next != null && (filter.count() == 1 || !next.equals(prefix))) {
        filter.add(next);
        prefix = next.copy();
      }
    }
  }

  /**
   * Takes a data block, after all its keys.
   *
   * @param key together with the sequence at or behind its last entry, and before the next block
   */
  void addBlock(Slice key, long sequence, BlockHandle block) {
    index.add(key, sequence, ValueKind.PUT, block.encode());
    if (index.sizeBytes() >= mostIndexBytes
        || (filter != null && filter.sizeBytes() >= MOST_FILTER_BYTES)) {
      closePartition();
    }
  }

  private void closePartition() {
    Slice lastKey = index.lastKey().copy();
    long lastSequence = index.lastSequence();
    BlockHandle filterBlock = null;
    if (filter != null) {
      scratch.clear();
      filter.finish(scratch);
      packer.keep(scratch);
      filterBlock = packer.appendTo(filters);
    }
    packer.pack(index.finish());
    partitions.add(new Partition(lastKey, lastSequence, packer.appendTo(indexes), filterBlock));
    topKeyBytes += lastKey.length();
    index.reset();
  }

  /** Bytes of all parts if they were finished now; slightly too large. */
  long sizeBytes() {
    long open = index.sizeBytes() + (filter == null ? 0 : filter.sizeBytes());
    return indexes.size()
        + filters.size()
        + open
        + topKeyBytes
        + (partitions.size() + 1L) * 4 * SSTableFormat.FOOTER_BYTES;
  }

  /** Writes all parts behind the data. */
  Parts finish(ChunkedOutput output) {
    if (!index.isEmpty()) {
      closePartition();
    }
    long filtersAt = output.size();
    output.write(filters.array(), filters.size());
    long indexesAt = output.size();
    output.write(indexes.array(), indexes.size());
    long topAt = output.size();
    for (Partition each : partitions) {
      BlockHandle filterBlock = each.filter == null ? null : each.filter.shifted(filtersAt);
      index.add(
          each.lastKey,
          each.lastSequence,
          ValueKind.PUT,
          TopIndex.encode(each.index.shifted(indexesAt), filterBlock));
    }
    packer.keep(index.finish());
    packer.writeTo(output);
    return new Parts(filtersAt, indexesAt, topAt);
  }
}
