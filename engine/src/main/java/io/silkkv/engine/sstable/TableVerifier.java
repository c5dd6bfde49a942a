package io.silkkv.engine.sstable;

import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.ValueKind;
import io.silkkv.engine.io.IoClass;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads a whole table and checks what checksums cannot: that blocks adjoin, that entries are in
 * order and where the index says, that the filter knows them, and that the properties count them.
 * Used once.
 */
final class TableVerifier {
  private static final long STOPPED = -1;

  private final SSTableReader table;
  private final BlockIterator index;
  private final BlockIterator data;
  private final BlockSource source;
  private final BooleanSupplier stopped;

  private @Nullable Slice lastKey;
  private long lastSequence;
  private long entries;
  private long deletions;
  private long rawKeyBytes;
  private long rawValueBytes;
  private long smallestSequence = Long.MAX_VALUE;
  private long largestSequence = Long.MIN_VALUE;
  private Slice smallest = Slice.EMPTY;

  /** Filter of the partition that is being checked. */
  private @Nullable Slice filter;

  private @Nullable BlockHandle filterHandle;

  TableVerifier(SSTableReader table, BooleanSupplier stopped) {
    this.table = table;
    this.stopped = stopped;
    this.index = new BlockIterator(table.name());
    this.data = new BlockIterator(table.name());
    this.source = table.readAhead(IoClass.SCRUB, ReadAheadBlocks.WINDOW_BYTES);
  }

  /** False when stopped. */
  boolean run() {
    long expectedOffset = 0;
    for (int at = 0; at < table.top().size(); at++) {
      TopIndex.Partition partition = table.top().get(at);
      filterHandle = partition.filter();
      filter = filterHandle == null ? null : table.uncachedBlock(filterHandle, IoClass.SCRUB);
      index.open(table.uncachedBlock(partition.index(), IoClass.SCRUB), partition.index().offset());
      expectedOffset = checkPartition(partition, expectedOffset);
      if (expectedOffset == STOPPED) {
        return false;
      }
    }
    if (expectedOffset != table.footer().dataEnd()) {
      throw new CorruptionException(
          table.name(), expectedOffset, "bytes between data and filters or indexes");
    }
    checkProperties();
    return true;
  }

  /** Returns where its data ends, or STOPPED. */
  private long checkPartition(TopIndex.Partition partition, long dataStart) {
    long expectedOffset = dataStart;
    Slice end = Slice.EMPTY;
    for (index.seekToFirst(); index.valid(); index.next()) {
      if (stopped.getAsBoolean()) {
        return STOPPED;
      }
      BlockHandle handle = table.handleAt(index);
      if (handle.offset() != expectedOffset) {
        throw index.corruptEntry(
            "block at " + handle.offset() + " does not adjoin the one before: " + expectedOffset);
      }
      checkBlock(handle);
      expectedOffset = handle.end();
      end = index.key().copy();
      if (index.compareTo(partition.lastKey(), partition.lastSequence()) > 0) {
        throw index.corruptEntry("is behind the end of its partition");
      }
    }
    if (!end.equals(partition.lastKey())) {
      throw table.endsEarly(partition);
    }
    return expectedOffset;
  }

  private void checkBlock(BlockHandle handle) {
    if (lastKey != null && index.compareTo(lastKey, lastSequence) <= 0) {
      throw index.corruptEntry("index keys are out of order");
    }
    source.load(handle, data);
    for (data.seekToFirst(); data.valid(); data.next()) {
      checkEntry();
    }
    if (lastKey != null && index.compareTo(lastKey, lastSequence) < 0) {
      throw index.corruptEntry("index key is before the end of its block");
    }
  }

  private void checkFilter(Slice key) {
    BlockHandle handle = filterHandle;
    if (filter == null || handle == null) {
      return;
    }
    Slice prefix = table.properties().prefixes().of(key);
    if (!table.passes(filter, handle, BloomFilter.hash(key))
        || (prefix != null && !table.passes(filter, handle, BloomFilter.hash(prefix)))) {
      throw data.corruptEntry("the filter does not know the key " + key);
    }
  }

  private void checkEntry() {
    Slice key = data.key();
    if (lastKey != null && data.compareTo(lastKey, lastSequence) <= 0) {
      throw data.corruptEntry("entries are out of order: " + key + " after " + lastKey);
    }
    checkFilter(key);
    if (lastKey == null) {
      smallest = key.copy();
    }
    lastKey = key.copy();
    lastSequence = data.sequence();
    entries++;
    deletions += data.kind() == ValueKind.DELETE ? 1 : 0;
    rawKeyBytes += key.length();
    rawValueBytes += data.value().length();
    smallestSequence = Math.min(smallestSequence, lastSequence);
    largestSequence = Math.max(largestSequence, lastSequence);
  }

  private void checkProperties() {
    SSTableProperties counted =
        new SSTableProperties(
            smallest,
            lastKey == null ? Slice.EMPTY : lastKey,
            smallestSequence,
            largestSequence,
            entries,
            deletions,
            table.properties().fileBytes(),
            rawKeyBytes,
            rawValueBytes,
            table.properties().compression(),
            table.properties().prefixes(),
            table.properties().ranges());
    if (!counted.equals(table.properties())) {
      throw new CorruptionException(
          table.name(),
          table.footer().properties(),
          "properties " + table.properties() + " do not match the entries: " + counted);
    }
  }
}
