package io.silkkv.engine.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.engine.api.Slice;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Blocks of table files, bounded in bytes; what is rarely used leaves first. Blocks that lead to
 * others (indexes and filters) have priority: data blocks get only the room that these leave, so
 * that a scan over cold data cannot make every lookup read two blocks more. They may take up to
 * three quarters of the whole. Whoever puts a block in has verified it, and nobody changes its
 * bytes afterwards. Thread-safe; all work is done on the calling threads.
 */
public final class BlockCache {
  /** What an entry costs beyond the block's array: key, map node and headers, rounded up. */
  public static final int ENTRY_OVERHEAD_BYTES = 128;

  /** The room for data changes in steps of this part of the whole. */
  private static final int STEPS = 64;

  /** Most objects that are kept beside the blocks; a dictionary has some 50 KiB. */
  private static final int MOST_MADE = 128;

  /** What a block is for. */
  public enum Kind {
    /** Entries. */
    DATA,
    /** An index or a filter. */
    META
  }

  private record Key(long cacheId, long offset) {}

  private final long capacityBytes;
  private final Cache<Key, Slice> data;
  private final Cache<Key, Slice> meta;
  private final AtomicLong lastId = new AtomicLong();
  private final Cache<Long, Object> made;
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();

  /** Room that is kept from data now. */
  @GuardedBy("this")
  private long reserved;

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
    this.data = cache(capacityBytes);
    this.meta = cache(capacityBytes - capacityBytes / 4);
    this.made = Caffeine.newBuilder().maximumSize(MOST_MADE).executor(Runnable::run).build();
  }

  private static Cache<Key, Slice> cache(long capacityBytes) {
    return Caffeine.newBuilder()
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
  public @Nullable Slice get(long cacheId, long offset, Kind kind) {
    Slice block = peek(cacheId, offset, kind);
    (block == null ? misses : hits).increment();
    return block;
  }

  /** {@link #get} without counting. */
  public @Nullable Slice peek(long cacheId, long offset, Kind kind) {
    return of(kind).getIfPresent(new Key(cacheId, offset));
  }

  /** Offers a block, for whose whole array it accounts; the cache may decline it. */
  public void put(long cacheId, long offset, Kind kind, Slice block) {
    if (kind == Kind.META) {
      makeRoom(weigh(block));
      meta.put(new Key(cacheId, offset), block);
      makeRoom(0);
    } else {
      data.put(new Key(cacheId, offset), block);
    }
  }

  /**
   * Something that a table makes of a block and that is costly to make, such as a dictionary ready
   * for use; the last {@value #MOST_MADE} in use are kept, beside the blocks. Who holds one that
   * has left may go on using it.
   *
   * @param type of all that this table keeps here
   */
  public <T> T made(long cacheId, Class<T> type, Supplier<T> make) {
    Object ready = made.getIfPresent(cacheId);
    if (ready == null) {
      // Not under a lock: two that come at once make it twice.
      ready = make.get();
      made.put(cacheId, ready);
    }
    return type.cast(ready);
  }

  /** Forgets what {@link #made} keeps for a table. */
  public void forgetMade(long cacheId) {
    made.invalidate(cacheId);
  }

  /** Forgets a block, if it is here: its file is gone. */
  public void remove(long cacheId, long offset, Kind kind) {
    of(kind).invalidate(new Key(cacheId, offset));
  }

  private Cache<Key, Slice> of(Kind kind) {
    return kind == Kind.DATA ? data : meta;
  }

  /**
   * Leaves data only what indexes and filters do not take, in whole steps; those change rarely,
   * with the set of files in use.
   *
   * @param more bytes about to come
   */
  private synchronized void makeRoom(long more) {
    long step = Math.max(1, capacityBytes / STEPS);
    long taken = Math.min(weightedSize(meta) + more, capacityBytes - capacityBytes / 4);
    long wanted = Math.min(capacityBytes, (taken + step - 1) / step * step);
    if (reserved != wanted) {
      reserved = wanted;
      eviction(data).setMaximum(capacityBytes - wanted);
    }
  }

  private static Policy.Eviction<Key, Slice> eviction(Cache<Key, Slice> cache) {
    return cache.policy().eviction().orElseThrow();
  }

  private static long weightedSize(Cache<Key, Slice> cache) {
    return eviction(cache).weightedSize().orElseThrow();
  }

  /** The bound given at construction. */
  public long capacityBytes() {
    return capacityBytes;
  }

  /** Bytes held now, overhead included. */
  public long sizeBytes() {
    data.cleanUp();
    return weightedSize(data) + metaBytes();
  }

  /** Those of indexes and filters. */
  public long metaBytes() {
    meta.cleanUp();
    return weightedSize(meta);
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
