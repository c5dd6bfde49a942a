package io.silkkv.engine.sstable;

import com.github.luben.zstd.ZstdDictDecompress;
import com.github.luben.zstd.ZstdException;
import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.api.EngineException;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.cache.BlockCache;
import io.silkkv.engine.cache.BlockCache.Kind;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.ReadableFile;
import io.silkkv.engine.iterator.InternalIterator;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An open table. The {@link TopIndex} stays in memory until it is closed; index and filter
 * partitions and data blocks come from the cache or the file and are checked before use.
 * Thread-safe; the owner closes it only when nobody reads.
 *
 * <p>Every method that reads throws {@link CorruptionException} when what it needs is damaged, and
 * {@link io.silkkv.engine.api.EngineIoException} when the file cannot be read.
 */
public final class SSTableReader implements AutoCloseable {
  /** Objects of an open table and its file, roughly. */
  private static final int BASE_BYTES = 600;

  /** More prefix-filter partitions than this are not asked: the range is large anyway. */
  private static final int MOST_PREFIX_PARTITIONS = 4;

  private final BlockFile file;
  private final long cacheId;
  private final BlockCache cache;
  private final Footer footer;
  private final TopIndex top;
  private final SSTableProperties properties;

  private SSTableReader(BlockFile file, long cacheId, BlockCache cache, IoClass why) {
    this.file = file;
    this.cacheId = cacheId;
    this.cache = cache;
    BlockFile opening = file.withTailInMemory(why);
    this.footer = readFooter(opening, why);
    if (footer.hasDictionary()) {
      file.useDictionary(this::dictionary);
    }
    this.properties = readProperties(opening, footer.propertiesHandle(), why);
    this.top = TopIndex.decode(opening.readBlock(footer.topHandle(), why), footer, file.name());
  }

  /** {@link #open(ReadableFile, String, long, BlockCache, IoClass)} as class RECOVERY. */
  public static SSTableReader open(ReadableFile file, String name, long cacheId, BlockCache cache) {
    return open(file, name, cacheId, cache, IoClass.RECOVERY);
  }

  /**
   * Reads and checks everything but the data blocks. The file belongs to the reader from now on;
   * when opening fails it is closed.
   *
   * @param name path of the file, for messages
   * @param cacheId number from {@link BlockCache#newId} that no other open file has
   * @param why class of the reads that opening takes
   * @throws CorruptionException when the file is no table, or a damaged one
   * @throws io.silkkv.engine.api.FormatTooNewException when a newer release wrote it
   * @throws io.silkkv.engine.api.FormatTooOldException when this release has forgotten its format
   */
  public static SSTableReader open(
      ReadableFile file, String name, long cacheId, BlockCache cache, IoClass why) {
    BlockFile blocks = new BlockFile(file, name);
    try {
      return new SSTableReader(blocks, cacheId, cache, why);
    } catch (EngineException e) {
      try {
        blocks.close();
      } catch (EngineException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }

  /** The name given when it was opened. */
  public String name() {
    return file.name();
  }

  /** What the table holds. */
  public SSTableProperties properties() {
    return properties;
  }

  /** Bytes of heap that the table holds while it is open, outside of the cache. */
  public long memoryBytes() {
    return BASE_BYTES
        + top.memoryBytes()
        + properties.smallest().length()
        + properties.largest().length();
  }

  /**
   * The newest entry of a key that is not newer than {@code sequence}; null when there is none.
   *
   * @param why class of the reads, if any are needed
   */
  public @Nullable Found get(Slice key, long sequence, IoClass why) {
    return lookup(why).find(key, sequence);
  }

  /** {@link #get} that reads no file; {@link Found#UNKNOWN} when it would have to. */
  public @Nullable Found probe(Slice key, long sequence) {
    return new TableLookup(this, IoClass.CLIENT_READ, true).find(key, sequence);
  }

  /**
   * For several keys; best in order.
   *
   * @param why class of the reads
   */
  public TableLookup lookup(IoClass why) {
    return new TableLookup(this, why, false);
  }

  /**
   * False when the filter says that no key of {@code [lower, upper)} is here, because all of them
   * would have a prefix that no key of the table has.
   *
   * @param why class of the reads
   */
  public boolean mayHoldRange(Slice lower, Slice upper, IoClass why) {
    Slice prefix = properties.prefixes().ofRange(lower, upper);
    if (prefix == null || !footer.hasFilters()) {
      return true;
    }
    long hash = BloomFilter.hash(prefix);
    int first = top.find(lower, Long.MAX_VALUE);
    for (int at = first; at < top.size(); at++) {
      BlockHandle filter = top.get(at).filter();
      if (filter == null
          || at - first >= MOST_PREFIX_PARTITIONS
          || passes(block(filter, Kind.META, why), filter, hash)) {
        return true;
      }
      if (top.get(at).lastKey().compareTo(upper) >= 0) {
        return false;
      }
    }
    return false;
  }

  /**
   * A new iterator, without position.
   *
   * @param why class of its reads
   * @param fillCache true for clients: blocks are looked up in the cache, and unless it is a long
   *     scan kept there. False for whoever reads long runs once: 256 KiB per read, past the cache
   */
  public InternalIterator iterator(IoClass why, boolean fillCache) {
    return fillCache
        ? new TableIterator(this, new CachedBlocks(this, Kind.META, why), new ScanBlocks(this, why))
        : new TableIterator(
            this,
            new ReadAheadBlocks(file, footer.top(), ReadAheadBlocks.WINDOW_BYTES, why),
            readAhead(why, ReadAheadBlocks.WINDOW_BYTES));
  }

  /**
   * Reads all blocks past the cache, as class SCRUB, and checks data against indexes, filters and
   * properties.
   *
   * @param stopped asked for every block; nothing is read any more soon after it turns true
   * @return false when it was stopped
   */
  public boolean verify(BooleanSupplier stopped) {
    return new TableVerifier(this, stopped).run();
  }

  /** {@link #verify(BooleanSupplier)} that nobody stops. */
  public void verify() {
    boolean unused = verify(() -> false);
  }

  /**
   * Drops the table's blocks from the cache and closes the file. Data blocks whose index is not in
   * the cache are not looked for: they are as cold as it is and leave by themselves.
   */
  @Override
  public void close() {
    try {
      BlockIterator entries = new BlockIterator(file.name());
      for (int at = 0; at < top.size(); at++) {
        TopIndex.Partition partition = top.get(at);
        Slice index = cached(partition.index(), Kind.META);
        if (index != null) {
          entries.open(index, partition.index().offset());
          for (entries.seekToFirst(); entries.valid(); entries.next()) {
            cache.remove(cacheId, handleAt(entries).offset(), Kind.DATA);
          }
          cache.remove(cacheId, partition.index().offset(), Kind.META);
        }
        if (partition.filter() != null) {
          cache.remove(cacheId, partition.filter().offset(), Kind.META);
        }
      }
      if (footer.hasDictionary()) {
        cache.remove(cacheId, footer.dictionary(), Kind.META);
        cache.forgetMade(cacheId);
      }
    } finally {
      file.close();
    }
  }

  TopIndex top() {
    return top;
  }

  Footer footer() {
    return footer;
  }

  /** The contents of a block: from the cache, or from the file and then in the cache. */
  Slice block(BlockHandle handle, Kind kind, IoClass why) {
    Slice block = cache.get(cacheId, handle.offset(), kind);
    return block != null ? block : keep(handle, kind, file.readBlock(handle, why));
  }

  /** The contents of a block if they are in the cache. */
  @Nullable Slice cached(BlockHandle handle, Kind kind) {
    return cache.peek(cacheId, handle.offset(), kind);
  }

  /** Puts a block into the cache and returns it. */
  Slice keep(BlockHandle handle, Kind kind, Slice block) {
    cache.put(cacheId, handle.offset(), kind, block);
    return block;
  }

  /** A block past the cache. */
  Slice uncachedBlock(BlockHandle handle, IoClass why) {
    return file.readBlock(handle, why);
  }

  /** Data blocks past the cache. */
  ReadAheadBlocks readAhead(IoClass why, int firstWindowBytes) {
    return new ReadAheadBlocks(file, footer.dataEnd(), firstWindowBytes, why);
  }

  /** Whether a filter lets a hash pass. */
  boolean passes(Slice filter, BlockHandle handle, long hash) {
    try {
      return BloomFilter.mayContain(filter, hash);
    } catch (IllegalArgumentException e) {
      throw file.corrupt(handle.offset(), "in the filter: " + e.getMessage());
    }
  }

  /** The handle that an index entry holds. */
  BlockHandle handleAt(BlockIterator position) {
    BlockHandle handle;
    try {
      handle = BlockHandle.decode(position.value());
    } catch (IllegalArgumentException e) {
      throw position.corruptEntry("in the index: " + e.getMessage());
    }
    if (handle.end() > footer.dataEnd()) {
      throw position.corruptEntry("index names a block outside of the data: " + handle);
    }
    return handle;
  }

  /** The error that an index does not reach the key at which it should end. */
  CorruptionException endsEarly(TopIndex.Partition partition) {
    return file.corrupt(partition.index().offset(), "the index ends before " + partition.lastKey());
  }

  /** The dictionary, ready for use. It is read as an index is, and few are kept ready. */
  private ZstdDictDecompress dictionary() {
    return cache.made(
        cacheId,
        ZstdDictDecompress.class,
        () -> {
          BlockHandle handle = footer.dictionaryHandle();
          Slice bytes = block(handle, Kind.META, IoClass.CLIENT_READ);
          try {
            return new ZstdDictDecompress(bytes.toByteArray());
          } catch (IllegalStateException | ZstdException e) {
            throw file.corrupt(handle.offset(), "in the dictionary: " + e.getMessage());
          }
        });
  }

  private static Footer readFooter(BlockFile file, IoClass why) {
    long size = file.size();
    if (size < SSTableFormat.FOOTER_BYTES) {
      throw file.corrupt(-1, "too short for a table: " + size + " bytes");
    }
    byte[] bytes = new byte[SSTableFormat.FOOTER_BYTES];
    file.read(size - bytes.length, bytes, 0, bytes.length, why);
    return Footer.decode(bytes, file.name(), size);
  }

  private static SSTableProperties readProperties(BlockFile file, BlockHandle handle, IoClass why) {
    Slice block = file.readBlock(handle, why);
    try {
      return SSTableProperties.decode(block, file.size());
    } catch (IllegalArgumentException e) {
      throw file.corrupt(handle.offset(), "in the properties: " + e.getMessage());
    }
  }
}
