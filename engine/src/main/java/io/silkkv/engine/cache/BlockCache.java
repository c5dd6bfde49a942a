package io.silkkv.engine.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.silkkv.engine.api.Slice;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Blocks of table files, bounded in bytes; what is rarely used leaves first. Whoever puts a block
 * in has verified it, and nobody changes its bytes afterwards. Thread-safe; all work is done on the
 * calling threads.
 */
public final class BlockCache {
  /** What an entry costs beyond the block's array: key, map node and headers, rounded up. */
  public static final int ENTRY_OVERHEAD_BYTES = 128;

  private record Key(long cacheId, long offset) {}

  private final long capacityBytes;
  private final Cache<Key, Slice> blocks;
  private final AtomicLong lastId = new AtomicLong();
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();

  /**
   * @param capacityBytes most bytes to hold, {@link #ENTRY_OVERHEAD_BYTES} per block included; 0
   *     keeps nothing
   */
  public BlockCache(long capacityBytes) {
    if (capacityBytes < 0) {
      throw new IllegalArgumentException(
          "block cache capacity must be at least 0 bytes, not " + capacityBytes);
    }
    this.capacityBytes = capacityBytes;
    this.blocks =
        Caffeine.newBuilder()
            .maximumWeight(capacityBytes)
            .weigher((Key key, Slice block) -> weigh(block))
            // The calling thread evicts: no thread of the JVM's common pool works for us unseen.
            .executor(Runnable::run)
            .build();
  }

  /** A number for a file just opened; unlike file names it is unique in the whole node. */
  public long newId() {
    return lastId.incrementAndGet();
  }

  /** The block of a file at an offset, or null when it is not here; counts a hit or a miss. */
  public @Nullable Slice get(long cacheId, long offset) {
    Slice block = blocks.getIfPresent(new Key(cacheId, offset));
    (block == null ? misses : hits).increment();
    return block;
  }

  /** Offers a block, for whose whole array it accounts; the cache may decline it. */
  public void put(long cacheId, long offset, Slice block) {
    blocks.put(new Key(cacheId, offset), block);
  }

  /** Forgets a block, if it is here: its file is gone. */
  public void remove(long cacheId, long offset) {
    blocks.invalidate(new Key(cacheId, offset));
  }

  /** The bound given at construction. */
  public long capacityBytes() {
    return capacityBytes;
  }

  /** Bytes held now, overhead included. */
  public long sizeBytes() {
    blocks.cleanUp();
    return blocks.policy().eviction().orElseThrow().weightedSize().orElseThrow();
  }

  /** Lookups that found their block. */
  public long hits() {
    return hits.sum();
  }

  /** Lookups that did not. */
  public long misses() {
    return misses.sum();
  }

  private static int weigh(Slice block) {
    return (int) Math.min(Integer.MAX_VALUE, (long) block.array().length + ENTRY_OVERHEAD_BYTES);
  }
}
