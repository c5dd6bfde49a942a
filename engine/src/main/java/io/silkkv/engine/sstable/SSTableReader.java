package io.silkkv.engine.sstable;

import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.api.EngineException;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.cache.BlockCache;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.ReadableFile;
import io.silkkv.engine.iterator.InternalIterator;
import org.jspecify.annotations.Nullable;

/**
 * An open table. Index and filter stay in memory until it is closed; data blocks come from the
 * cache or the file and are checked before use. Thread-safe; the owner closes it only when nobody
 * reads.
 *
 * <p>Every method that reads throws {@link CorruptionException} when what it needs is damaged, and
 * {@link io.silkkv.engine.api.EngineIoException} when the file cannot be read.
 */
public final class SSTableReader implements AutoCloseable {
  private final BlockFile file;
  private final long cacheId;
  private final BlockCache cache;
  private final Footer footer;
  private final Slice index;
  private final @Nullable BloomFilter filter;
  private final SSTableProperties properties;

  private SSTableReader(BlockFile file, long cacheId, BlockCache cache, IoClass why) {
    this.file = file;
    this.cacheId = cacheId;
    this.cache = cache;
    this.footer = readFooter(file, why);
    this.properties = readProperties(file, footer.properties(), why);
    this.index = file.readBlock(footer.index(), why);
    this.filter = footer.hasFilter() ? readFilter(file, footer.filter(), why) : null;
    indexIterator().seekToFirst();
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

  /** Bytes of memory that the table holds while it is open. */
  public long memoryBytes() {
    return (long) index.array().length + footer.filter().length();
  }

  /** False when the table surely has no entry of the key. Never reads the file. */
  public boolean mayContain(Slice key) {
    return filter == null || filter.mayContain(key);
  }

  /**
   * The newest entry of a key that is not newer than {@code sequence}; null when there is none.
   *
   * @param why class of the read, if one is needed
   */
  public @Nullable Found get(Slice key, long sequence, IoClass why) {
    if (!mayContain(key)) {
      return null;
    }
    BlockIterator position = indexIterator();
    position.seek(key, sequence);
    if (!position.valid()) {
      return null;
    }
    BlockIterator data = new BlockIterator(file.name());
    new CachedBlocks(file, cacheId, cache, why).load(handleAt(position), data);
    data.seek(key, sequence);
    if (!data.valid() || !data.keyEquals(key)) {
      return null;
    }
    return new Found(data.kind(), data.sequence(), data.value());
  }

  /**
   * A new iterator, without position.
   *
   * @param why class of its reads
   * @param fillCache true for clients: blocks are looked up in the cache and kept there. False for
   *     whoever reads long runs once: 256 KiB per read, past the cache
   */
  public InternalIterator iterator(IoClass why, boolean fillCache) {
    return new TableIterator(
        this, fillCache ? new CachedBlocks(file, cacheId, cache, why) : readAhead(why));
  }

  /**
   * Reads all data blocks past the cache, as class SCRUB, and checks them against index, filter and
   * properties.
   */
  public void verify() {
    new TableVerifier(this).run();
  }

  /** Drops the table's blocks from the cache and closes the file. */
  @Override
  public void close() {
    try {
      BlockIterator position = indexIterator();
      for (position.seekToFirst(); position.valid(); position.next()) {
        cache.remove(cacheId, handleAt(position).offset());
      }
    } finally {
      file.close();
    }
  }

  /** A position in the index; entries are {@link BlockHandle}s. */
  BlockIterator indexIterator() {
    BlockIterator position = new BlockIterator(file.name());
    position.open(index, footer.index().offset());
    return position;
  }

  /** The handle that an index entry holds. */
  BlockHandle handleAt(BlockIterator position) {
    BlockHandle handle;
    try {
      handle = BlockHandle.decode(position.value());
    } catch (IllegalArgumentException e) {
      throw position.corruptEntry("in the index: " + e.getMessage());
    }
    if (handle.offset() > footer.dataEnd() || handle.end() > footer.dataEnd()) {
      throw position.corruptEntry("index names a block outside of the data: " + handle);
    }
    return handle;
  }

  /** Data blocks past the cache. */
  BlockSource readAhead(IoClass why) {
    return new ReadAheadBlocks(file, footer.dataEnd(), why);
  }

  Footer footer() {
    return footer;
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

  private static BloomFilter readFilter(BlockFile file, BlockHandle handle, IoClass why) {
    Slice block = file.readBlock(handle, why);
    try {
      return BloomFilter.decode(block);
    } catch (IllegalArgumentException e) {
      throw file.corrupt(handle.offset(), "in the filter: " + e.getMessage());
    }
  }
}
