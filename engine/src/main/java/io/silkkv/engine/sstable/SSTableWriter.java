package io.silkkv.engine.sstable;

import io.silkkv.engine.api.Compression;
import io.silkkv.engine.api.EngineIoException;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.ValueKind;
import io.silkkv.engine.io.WritableFile;
import io.silkkv.engine.range.RangeDeletions;
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
  private final BodyWriter body;

  /** Holds the first entries while they are few; null without a dictionary, and afterwards. */
  private @Nullable DictionarySampler sampler;

  private State state = State.OPEN;

  private byte[] lastKey = new byte[64];
  private int lastKeyLength;
  private long lastSequence;

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
    this.packer = new BlockPacker(options.compression());
    this.options = options;
    this.body = new BodyWriter(output, packer, options);
    this.sampler =
        options.compression() == Compression.ZSTD && options.dictionaryBytes() > 0
            ? new DictionarySampler(options)
            : null;
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
    state = State.FAILED;
    if (sampler == null) {
      body.append(key, sequence, kind, value, newKey);
    } else {
      sampler.hold(key, sequence, kind, value, newKey);
      if (sampler.isFull()) {
        endSampling(sampler);
      }
    }
    count(key, sequence, kind, value);
    rememberLast(key, sequence);
    state = State.OPEN;
  }

  /** From here on the file is written. */
  private void endSampling(DictionarySampler ended) {
    byte[] dictionary = ended.train();
    if (dictionary != null) {
      packer.useDictionary(dictionary);
    }
    sampler = null;
    ended.forEach(body::append);
  }

  /** Size that the file would have if it were finished now; slightly too large. */
  public long estimatedSize() {
    return output.size()
        + body.waitingBytes()
        + (sampler == null ? 0 : sampler.sizeBytes())
        + 2L * (smallest.length() + lastKeyLength)
        + SSTableFormat.FOOTER_BYTES;
  }

  /** {@link #finish(RangeDeletions)} of a table without range deletions. */
  public SSTableProperties finish() {
    return finish(RangeDeletions.NONE);
  }

  /**
   * Completes the file, makes its bytes durable and closes it. Its name is durable only after a
   * sync of its directory.
   *
   * @param ranges range deletions that belong to the table. One without any other entry gets a
   *     deletion of its first key, which says nothing new
   * @throws IllegalStateException when there is neither an entry nor a range
   * @throws EngineIoException when the file cannot be written or synced
   */
  public SSTableProperties finish(RangeDeletions ranges) {
    checkOpen();
    if (entries == 0 && !ranges.isEmpty()) {
      long sequence = ranges.newestOf(ranges.start(), Long.MAX_VALUE);
      add(ranges.start(), sequence, ValueKind.DELETE, Slice.EMPTY);
    }
    if (entries == 0) {
      throw new IllegalStateException("table " + output.name() + " has no entries");
    }
    Slice largest = lastKey().copy();
    state = State.FAILED;
    if (sampler != null) {
      endSampling(sampler);
    }
    BodyWriter.Parts parts = body.finish();
    long propertiesAt = output.size();
    ByteSink sink = new ByteSink(1 << 10);
    properties(largest, 0, ranges).encode(sink);
    packer.keep(sink);
    packer.writeTo(output);
    sink.clear();
    new Footer(
            parts.dictionary(),
            parts.filters(),
            parts.indexes(),
            parts.top(),
            propertiesAt,
            output.size())
        .encode(sink);
    output.write(sink.array(), sink.size());
    packer.close();
    output.syncAndClose();
    state = State.CLOSED;
    return properties(largest, output.size(), ranges);
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
    if (order > 0 || (order == 0 && lastSequence <= sequence)) {
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
              + lastSequence);
    }
    return order != 0;
  }

  private Slice lastKey() {
    return Slice.wrap(lastKey, 0, lastKeyLength);
  }

  private void rememberLast(Slice key, long sequence) {
    if (key.length() > lastKey.length) {
      lastKey = new byte[Math.max(key.length(), 2 * lastKey.length)];
    }
    System.arraycopy(key.array(), key.offset(), lastKey, 0, key.length());
    lastKeyLength = key.length();
    lastSequence = sequence;
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

  private SSTableProperties properties(Slice largest, long fileBytes, RangeDeletions ranges) {
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
        options.compression(),
        options.prefixes(),
        ranges);
  }
}
