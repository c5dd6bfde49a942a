package io.silkkv.engine.sstable;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.ValueKind;
import org.jspecify.annotations.Nullable;

/**
 * Writes the data blocks of a table and all that leads to them. The caller has checked the entries
 * and their order. Not thread-safe.
 */
final class BodyWriter {
  /** Where the parts behind the data begin. */
  record Parts(long dictionary, long filters, long indexes, long top) {}

  private final ChunkedOutput output;
  private final BlockPacker packer;
  private final int blockBytes;
  private final BlockBuilder data;
  private final PartitionWriter partitions;

  /** The last data block, whose index key is chosen when the key after it is known. */
  private @Nullable BlockHandle pendingBlock;

  private Slice pendingKey = Slice.EMPTY;
  private long pendingSequence;

  BodyWriter(ChunkedOutput output, BlockPacker packer, SSTableOptions options) {
    this.output = output;
    this.packer = packer;
    this.blockBytes = options.blockBytes();
    this.data = new BlockBuilder(options.restartInterval(), blockBytes + (1 << 10));
    this.partitions = new PartitionWriter(packer, options);
  }

  /**
   * Appends an entry.
   *
   * @param newKey whether the key differs from the one before
   */
  void append(Slice key, long sequence, ValueKind kind, Slice value, boolean newKey) {
    if (!data.isEmpty() && data.sizeBytes() + key.length() + value.length() > blockBytes) {
      writeDataBlock();
    }
    if (pendingBlock != null) {
      addIndexEntry(pendingBlock, key);
    }
    partitions.addKey(key, newKey);
    data.add(key, sequence, kind, value);
  }

  /** Bytes that are not in the output yet; slightly too large. */
  long waitingBytes() {
    return data.sizeBytes() + partitions.sizeBytes();
  }

  /** Writes what waits. There was at least one entry. */
  Parts finish() {
    writeDataBlock();
    if (pendingBlock != null) {
      addIndexEntry(pendingBlock, null);
    }
    long dictionaryAt = output.size();
    byte[] dictionary = packer.dictionary();
    if (dictionary != null) {
      ByteSink sink = new ByteSink(dictionary.length + SSTableFormat.TRAILER_BYTES);
      sink.put(dictionary, 0, dictionary.length);
      packer.keep(sink);
      packer.writeTo(output);
    }
    PartitionWriter.Parts parts = partitions.finish(output);
    return new Parts(dictionaryAt, parts.filters(), parts.indexes(), parts.top());
  }

  private void writeDataBlock() {
    pendingKey = data.lastKey().copy();
    pendingSequence = data.lastSequence();
    packer.pack(data.finish());
    pendingBlock = packer.writeTo(output);
    data.reset();
  }

  /**
   * @param next key of the entry after the block; null when there is none
   */
  private void addIndexEntry(BlockHandle block, @Nullable Slice next) {
    if (next == null || pendingKey.equals(next)) {
      partitions.addBlock(pendingKey, pendingSequence, block);
    } else {
      // All versions of the block's last key are in it, so the separator may take the oldest.
      partitions.addBlock(Separator.between(pendingKey, next), 0, block);
    }
    pendingBlock = null;
  }
}
