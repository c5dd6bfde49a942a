package io.silkkv.engine.sstable;

import io.silkkv.engine.api.EngineIoException;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.ValueKind;
import io.silkkv.engine.io.WritableFile;
import org.jspecify.annotations.Nullable;

/**
 * Writes one table, from its first entry to its footer. Ends with {@link #finish} or {@link
 * #abandon}; after an exception only {@code abandon} is allowed. Not thread-safe.
 */
public final class SSTableWriter {
  private enum State {
    OPEN,
    FAILED,
    CLOSED
  }

  private final ChunkedOutput output;
  private final BlockPacker packer;
  private final SSTableOptions options;
  private final BlockBuilder data;
  private final BlockBuilder index = new BlockBuilder(1, 4 << 10);
  private final BloomFilter.@Nullable Builder filter;
  private State state = State.OPEN;

  /** The last data block, whose index key is chosen when the key after it is known. */
  private @Nullable BlockHandle pendingBlock;

  private Slice pendingKey = Slice.EMPTY;
  private long pendingSequence;

  private Slice smallest = Slice.EMPTY;
  private long smallestSequence = Long.MAX_VALUE;
  private long largestSequence = Long.MIN_VALUE;
  private long entries;
  private long deletions;
  private long rawKeyBytes;
  private long rawValueBytes;

  /**
   * @param file new and empty; belongs to the writer until it ends
   * @param name path of the file, for messages
   */
  public SSTableWriter(WritableFile file, String name, SSTableOptions options) {
    this.output = new ChunkedOutput(file, name);
    this.packer = new BlockPacker(output, options.compression());
    this.options = options;
    this.data = new BlockBuilder(options.restartInterval(), options.blockBytes() + (1 << 10));
    this.filter =
        options.bloomBitsPerKey() > 0 ? new BloomFilter.Builder(options.bloomBitsPerKey()) : null;
  }

  /**
   * Appends an entry, which must come after the one before: a larger key, or the same key with a
   * smaller sequence. The arrays behind the slices may be reused afterwards.
   *
   * @param sequence 0 to 2^56 - 1
   * @param value empty for a deletion
   * @throws IllegalArgumentException when the entry is out of order or out of range
   * @throws EngineIoException when the file cannot be written
   */
  public void add(Slice key, long sequence, ValueKind kind, Slice value) {
    checkOpen();
    checkRanges(key, sequence, kind, value);
    boolean newKey = checkOrder(key, sequence);
    if (!data.isEmpty() && data.sizeBytes() + entryBytes(key, value) > options.blockBytes()) {
      writeDataBlock();
    }
    if (pendingBlock != null) {
      addIndexEntry(pendingBlock, key);
    }
    if (newKey && filter != null) {
      filter.add(key);
    }
    data.add(key, sequence, kind, value);
    count(key, sequence, kind, value);
  }

  /** Size that the file would have if it were finished now; slightly too large. */
  public long estimatedSize() {
    return output.size()
        + data.sizeBytes()
        + index.sizeBytes()
        + (filter == null ? 0 : filter.sizeBytes() + SSTableFormat.TRAILER_BYTES)
        + 2L * rememberedKeyBytes()
        + SSTableFormat.FOOTER_BYTES;
  }

  /**
   * Completes the file, makes its bytes durable and closes it. Its name is durable only after a
   * sync of its directory.
   *
   * @throws IllegalStateException when no entry was added
   * @throws EngineIoException when the file cannot be written or synced
   */
  public SSTableProperties finish() {
    checkOpen();
    if (entries == 0) {
      throw new IllegalStateException("table " + output.name() + " has no entries");
    }
    Slice largest = lastKey().copy();
    writeDataBlock();
    if (pendingBlock != null) {
      addIndexEntry(pendingBlock, null);
    }
    state = State.FAILED;
    ByteSink sink = new ByteSink(4 << 10);
    BlockHandle filterBlock = writeFilter(sink);
    BlockHandle indexBlock = packer.write(index.finish());
    SSTableProperties properties = properties(largest, 0);
    sink.clear();
    properties.encode(sink);
    BlockHandle propertiesBlock = packer.writeRaw(sink);
    sink.clear();
    new Footer(filterBlock, indexBlock, propertiesBlock).encode(sink);
    output.write(sink.array(), sink.size());
    packer.close();
    output.syncAndClose();
    state = State.CLOSED;
    return properties(largest, output.size());
  }

  /**
   * Gives up: closes the file, which the caller then deletes. Does nothing after {@link #finish} or
   * a second time.
   */
  public void abandon() {
    if (state != State.CLOSED) {
      state = State.CLOSED;
      packer.close();
      output.close();
    }
  }

  private void checkOpen() {
    if (state != State.OPEN) {
      throw new IllegalStateException("table " + output.name() + " is not open: " + state);
    }
  }

  private static void checkRanges(Slice key, long sequence, ValueKind kind, Slice value) {
    if (sequence < 0 || sequence >= SSTableFormat.SEQUENCE_LIMIT) {
      throw new IllegalArgumentException("sequence " + sequence + " is not in [0, 2^56)");
    }
    if ((long) key.length() + value.length() > SSTableFormat.MAX_ENTRY_BYTES) {
      throw new IllegalArgumentException(
          "entry of "
              + key.length()
              + " + "
              + value.length()
              + " bytes is larger than "
              + SSTableFormat.MAX_ENTRY_BYTES);
    }
    if (kind == ValueKind.DELETE && !value.isEmpty()) {
      throw new IllegalArgumentException("deletion of " + key + " has a value");
    }
  }

  /** Whether the key differs from the one before. */
  private boolean checkOrder(Slice key, long sequence) {
    if (entries == 0) {
      return true;
    }
    int order = lastKey().compareTo(key);
    if (order > 0 || (order == 0 && lastSequence() <= sequence)) {
      throw new IllegalArgumentException(
          "entries of "
              + output.name()
              + " must ascend: "
              + key
              + " @"
              + sequence
              + " after "
              + lastKey()
              + " @"
              + lastSequence());
    }
    return order != 0;
  }

  private static int entryBytes(Slice key, Slice value) {
    return key.length() + value.length();
  }

  private Slice lastKey() {
    return data.isEmpty() ? pendingKey : data.lastKey();
  }

  private long lastSequence() {
    return data.isEmpty() ? pendingSequence : data.lastSequence();
  }

  private int rememberedKeyBytes() {
    return smallest.length() + lastKey().length();
  }

  private void count(Slice key, long sequence, ValueKind kind, Slice value) {
    if (entries == 0) {
      smallest = key.copy();
    }
    entries++;
    deletions += kind == ValueKind.DELETE ? 1 : 0;
    rawKeyBytes += key.length();
    rawValueBytes += value.length();
    smallestSequence = Math.min(smallestSequence, sequence);
    largestSequence = Math.max(largestSequence, sequence);
  }

  private void writeDataBlock() {
    state = State.FAILED;
    pendingKey = data.lastKey().copy();
    pendingSequence = data.lastSequence();
    pendingBlock = packer.write(data.finish());
    data.reset();
    state = State.OPEN;
  }

  /**
   * @param next key of the entry after the block; null when there is none
   */
  private void addIndexEntry(BlockHandle block, @Nullable Slice next) {
    if (next == null || pendingKey.equals(next)) {
      index.add(pendingKey, pendingSequence, ValueKind.PUT, block.encode());
    } else {
      // All versions of the block's last key are in it, so the separator may take the oldest.
      index.add(Separator.between(pendingKey, next), 0, ValueKind.PUT, block.encode());
    }
    pendingBlock = null;
  }

  private BlockHandle writeFilter(ByteSink sink) {
    if (filter == null) {
      return new BlockHandle(output.size(), 0);
    }
    filter.finish(sink);
    return packer.writeRaw(sink);
  }

  private SSTableProperties properties(Slice largest, long fileBytes) {
    return new SSTableProperties(
        smallest,
        largest,
        smallestSequence,
        largestSequence,
        entries,
        deletions,
        fileBytes,
        rawKeyBytes,
        rawValueBytes,
        options.compression());
  }
}
