package io.silkkv.engine.memtable;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.ValueKind;
import io.silkkv.engine.iterator.InternalIterator;
import io.silkkv.engine.range.RangeDeletion;
import io.silkkv.engine.range.RangeDeletions;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A sorted run of internal entries outside the Java heap. One thread at a time adds; any number of
 * threads read without locks and see each entry entirely or not at all. Nothing is allocated on the
 * heap by {@link #add}; an empty memtable holds no slab. Range deletions are few: they are held on
 * the heap.
 *
 * <p>The creator holds the first reference. Whoever reads holds one too; when the last is released,
 * the slabs go back to the pool and every further use is an {@link IllegalStateException}.
 */
public final class MemTable {
  /**
   * What {@link #get} found.
   *
   * @param kind whether the key was set or removed
   * @param sequence sequence of that mutation
   * @param value a copy of the value on the heap; empty for a deletion
   */
  public record Entry(ValueKind kind, long sequence, Slice value) {}

  /** Several fragments, each with its links. */
  private static final int RANGE_OVERHEAD_BYTES = 256;

  private final long limitBytes;
  private final Arena arena;
  private final SkipList list;
  private final AtomicInteger references = new AtomicInteger(1);

  /** Written by the single writer. */
  private final AtomicLong entryCount = new AtomicLong();

  /** Written by the single writer, before the sequence that makes it visible. */
  private volatile RangeDeletions ranges = RangeDeletions.NONE;

  /** What the range deletions take on the heap, roughly. Written by the single writer. */
  private volatile long rangeBytes;

  /**
   * @param pool where the memory comes from
   * @param limitBytes size in bytes from which on {@link #isFull} is true; a soft limit
   * @param random decides the heights of the skip list's towers; used by the writer only
   */
  public MemTable(SlabPool pool, long limitBytes, RandomGenerator random) {
    if (limitBytes <= 0) {
      throw new IllegalArgumentException("limitBytes " + limitBytes + " must be positive");
    }
    this.limitBytes = limitBytes;
    this.arena = new Arena(pool);
    this.list = new SkipList(arena, random);
  }

  /**
   * Adds an entry; key and value are copied. Waits for memory only when twice the budget of the
   * pool is in use.
   *
   * @throws IllegalArgumentException when the same key has an entry with this sequence already, or
   *     the key does not fit into a slab
   * @throws IllegalStateException when there is too little memory and no flush can free any
   * @throws io.silkkv.engine.api.EngineClosedException when the wait for memory was ended
   */
  public void add(ValueKind kind, Slice key, long sequence, Slice value) {
    checkHeld();
    list.insert(kind, key, sequence, value);
    entryCount.setRelease(entryCount.getPlain() + 1);
  }

  /** Deletes the keys of {@code [start, end)} that are older than a sequence. */
  public void addRange(Slice start, Slice end, long sequence) {
    checkHeld();
    RangeDeletion deletion = new RangeDeletion(start.copy(), end.copy(), sequence);
    RangeDeletions before = ranges;
    long bytesBefore = rangeBytes;
    ranges = before.with(deletion);
    rangeBytes = bytesBefore + RANGE_OVERHEAD_BYTES + start.length() + end.length();
  }

  /** The range deletions so far. */
  public RangeDeletions ranges() {
    checkHeld();
    return ranges;
  }

  /**
   * The newest entry of a key that is not newer than {@code sequence}, or null when there is none.
   * A range deletion of the key is an entry too.
   */
  public @Nullable Entry get(Slice key, long sequence) {
    checkHeld();
    long deleted = ranges.newestOf(key, sequence);
    Entry entry = point(key, sequence);
    return deleted > 0 && (entry == null || entry.sequence < deleted)
        ? new Entry(ValueKind.DELETE, deleted, Slice.EMPTY)
        : entry;
  }

  private @Nullable Entry point(Slice key, long sequence) {
    int node = list.atOrAfter(key, sequence);
    if (node == SkipList.NONE || !list.hasKey(node, key)) {
      return null;
    }
    ValueKind kind = list.kind(node);
    return new Entry(kind, list.sequence(node), copyValue(node));
  }

  private Slice copyValue(int node) {
    int length = list.valueLength(node);
    if (length == 0) {
      return Slice.EMPTY;
    }
    byte[] copy = new byte[length];
    list.copyValue(node, copy);
    return Slice.wrap(copy);
  }

  /** An iterator over all entries, also those added later. Holds a reference until it is closed. */
  public InternalIterator iterator() {
    retain();
    return new MemTableIterator(this, list);
  }

  /** Bytes taken in slabs: entries, their links and padding. */
  public long sizeBytes() {
    return arena.usedBytes();
  }

  /** Bytes of the slabs, with their free rest: what other memtables can use after a flush. */
  public long heldBytes() {
    return arena.heldBytes();
  }

  /** Whether the limit is reached and the memtable should be flushed. */
  public boolean isFull() {
    return sizeBytes() + rangeBytes >= limitBytes;
  }

  /** Entries added, range deletions not included; all versions count. */
  public long entryCount() {
    return entryCount.get();
  }

  public boolean isEmpty() {
    return entryCount.get() == 0 && ranges.isEmpty();
  }

  /** Takes a reference; the caller must be sure that somebody holds one. */
  public void retain() {
    if (!tryRetain()) {
      throw released();
    }
  }

  /** Takes a reference unless the last one has been released. */
  public boolean tryRetain() {
    int count = references.get();
    while (count > 0) {
      if (references.compareAndSet(count, count + 1)) {
        return true;
      }
      count = references.get();
    }
    return false;
  }

  /** Gives a reference back. */
  public void release() {
    int left = references.decrementAndGet();
    if (left < 0) {
      throw released();
    }
    if (left == 0) {
      arena.release();
    }
  }

  private void checkHeld() {
    if (references.get() <= 0) {
      throw released();
    }
  }

  private static IllegalStateException released() {
    return new IllegalStateException("memtable is used after its last reference was released");
  }
}
