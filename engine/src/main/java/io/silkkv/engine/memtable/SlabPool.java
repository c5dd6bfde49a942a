package io.silkkv.engine.memtable;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.engine.api.EngineClosedException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The memtable memory of a node: direct slabs of one size, shared by all engines. Slabs are made
 * when first needed and then reused, never given back to the system, because freeing and faulting
 * memory under load is what makes a write slow.
 *
 * <p>The budget is soft: writes of entries that are already committed cannot be refused, so up to
 * twice the budget is handed out. Beyond that {@link #acquire} waits until a flush releases slabs,
 * and fails when none ever will. Thread-safe.
 */
public final class SlabPool implements AutoCloseable {
  /** Smallest size of a slab in bytes: it must hold a key of the largest size and its header. */
  public static final int MIN_SLAB_BYTES = 4096;

  private static final int HARD_LIMIT_FACTOR = 2;

  private final long budgetBytes;
  private final int slabBytes;
  private final long hardLimitSlabs;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition released = lock.newCondition();

  /** Most recently released first: its pages are the likeliest to be in the processor's caches. */
  @GuardedBy("lock")
  private final ArrayDeque<ByteBuffer> idle = new ArrayDeque<>();

  @GuardedBy("lock")
  private boolean closed;

  @GuardedBy("lock")
  private long created;

  /** Slabs of the memtables whose writers wait: nobody can flush these memtables meanwhile. */
  @GuardedBy("lock")
  private long heldByWaiters;

  /** Called without the lock. */
  private volatile Runnable shortage = () -> {};

  // Written under the lock, read without it for metrics and admission.
  private final AtomicLong usedSlabs = new AtomicLong();
  private final AtomicLong overcommits = new AtomicLong();
  private final AtomicLong waits = new AtomicLong();

  /**
   * @param budgetBytes memory for the memtables of the node, in bytes; at least one slab
   * @param slabBytes size of one slab, in bytes; a power of two, at least {@link #MIN_SLAB_BYTES}
   */
  public SlabPool(long budgetBytes, int slabBytes) {
    if (slabBytes < MIN_SLAB_BYTES || Integer.bitCount(slabBytes) != 1) {
      throw new IllegalArgumentException(
          "slabBytes " + slabBytes + " must be a power of two and at least " + MIN_SLAB_BYTES);
    }
    if (budgetBytes < slabBytes) {
      throw new IllegalArgumentException(
          "budgetBytes " + budgetBytes + " must hold at least one slab of " + slabBytes);
    }
    this.budgetBytes = budgetBytes;
    this.slabBytes = slabBytes;
    this.hardLimitSlabs = budgetBytes / slabBytes * HARD_LIMIT_FACTOR;
  }

  /**
   * Whom a writer tells that it is about to wait.
   *
   * @param asksForFlushes makes those who hold memory release it; must not wait
   */
  public void onShortage(Runnable asksForFlushes) {
    shortage = asksForFlushes;
  }

  /**
   * Hands out a slab with undefined content. Waits when twice the budget is in use.
   *
   * @param held how many slabs the caller's memtable holds; they stay in use during the wait
   * @throws IllegalStateException when all slabs belong to memtables whose writers wait for more,
   *     so none would ever be released
   * @throws EngineClosedException when the pool is closed, or the thread is interrupted while it
   *     waits (its interrupt flag stays set)
   */
  ByteBuffer acquire(int held) {
    lock.lock();
    try {
      if (mustWait()) {
        askForFlushes();
        awaitSlab(held);
      }
      if (closed) {
        throw new EngineClosedException("memtable memory");
      }
      if (usedSlabs.incrementAndGet() * slabBytes > budgetBytes) {
        overcommits.incrementAndGet();
      }
      ByteBuffer reused = idle.pollFirst();
      if (reused != null) {
        return reused;
      }
      created++;
    } finally {
      lock.unlock();
    }
    return create();
  }

  @GuardedBy("lock")
  private boolean mustWait() {
    return isFull() && !closed;
  }

  @GuardedBy("lock")
  private void askForFlushes() {
    lock.unlock();
    try {
      shortage.run();
    } finally {
      lock.lock();
    }
  }

  @GuardedBy("lock")
  private void awaitSlab(int held) {
    waits.incrementAndGet();
    heldByWaiters += held;
    try {
      // Only a new waiter can make this true, so it is enough to look before waiting.
      if (mustWait() && heldByWaiters >= usedSlabs.get()) {
        throw new IllegalStateException(
            "writes hold all "
                + usedBytes()
                + " bytes that memtables may have and need more, so no flush can free any: raise"
                + " the memtable budget of "
                + budgetBytes
                + " bytes");
      }
      awaitRelease();
    } finally {
      heldByWaiters -= held;
    }
  }

  @GuardedBy("lock")
  private void awaitRelease() {
    while (mustWait()) {
      try {
        released.await();
      } catch (InterruptedException e) {
        // The waiter may have eaten the signal for a slab that another one can use.
        released.signal();
        Thread.currentThread().interrupt();
        throw new EngineClosedException(
            "memtable memory (a write was interrupted while it waited)");
      }
    }
  }

  /** Outside the lock: the system zeroes the memory, which takes long enough to be noticed. */
  private ByteBuffer create() {
    boolean done = false;
    try {
      ByteBuffer slab = ByteBuffer.allocateDirect(slabBytes);
      done = true;
      return slab;
    } finally {
      if (!done) {
        undoCreate();
      }
    }
  }

  private void undoCreate() {
    lock.lock();
    try {
      created--;
      usedSlabs.decrementAndGet();
      released.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Takes a slab back; it must come from {@link #acquire} of this pool. */
  void release(ByteBuffer slab) {
    lock.lock();
    try {
      usedSlabs.decrementAndGet();
      idle.addFirst(slab);
      released.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Bytes that memtables hold now; up to twice the budget. */
  public long usedBytes() {
    return usedSlabs.get() * slabBytes;
  }

  /** Bytes that memtables of the node should hold at most. */
  public long budgetBytes() {
    return budgetBytes;
  }

  /** Whether more than the budget is in use: leaders should admit no new writes. */
  public boolean overBudget() {
    return usedBytes() > budgetBytes;
  }

  /** Whether twice the budget is in use, so that writes have to wait. */
  public boolean isFull() {
    return usedSlabs.get() >= hardLimitSlabs;
  }

  /** Size of one slab in bytes. */
  public int slabBytes() {
    return slabBytes;
  }

  /** Bytes taken from the system, in use or idle. Never shrinks. */
  public long allocatedBytes() {
    lock.lock();
    try {
      return created * slabBytes;
    } finally {
      lock.unlock();
    }
  }

  /** How many slabs were handed out beyond the budget since the start. */
  public long overcommits() {
    return overcommits.get();
  }

  /** How many times a writer had to wait since the start. */
  public long waits() {
    return waits.get();
  }

  /** Ends all waits with {@link EngineClosedException}; slabs in use stay usable. Idempotent. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      released.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
