package io.silkkv.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.engine.memtable.SlabPool;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides which engine of the node has to flush when memtable memory becomes scarce: the one whose
 * oldest write waits longest for a file, because it also holds back the most of the log. Flushes
 * are asked for until what they will free brings the use below the limit. Thread-safe; its lock is
 * a leaf.
 */
final class MemoryBudget {
  private static final double ASK_AT = 0.8;

  private final SlabPool pool;
  private final LongSupplier nanoTime;
  private final long limitBytes;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Set<Account> accounts = new LinkedHashSet<>();

  /**
   * @param nanoTime a clock that never goes back, in nanoseconds
   */
  MemoryBudget(SlabPool pool, LongSupplier nanoTime) {
    this.pool = pool;
    this.nanoTime = nanoTime;
    this.limitBytes = (long) (pool.budgetBytes() * ASK_AT);
  }

  /**
   * Adds an engine.
   *
   * @param activeBytes memory held by the memtable that it writes to, in whole slabs
   * @param waitingBytes memory held by the memtables that it is about to flush
   * @param wanted told when it should rotate; must not wait
   */
  Account open(LongSupplier activeBytes, LongSupplier waitingBytes, Runnable wanted) {
    Account account = new Account(activeBytes, waitingBytes, wanted);
    lock.lock();
    try {
      accounts.add(account);
    } finally {
      lock.unlock();
    }
    return account;
  }

  /** Whether all memory is in use. */
  boolean exhausted() {
    return pool.usedBytes() >= pool.budgetBytes();
  }

  /** Asks for flushes if memory is scarce. Never waits longer than for this lock. */
  void check() {
    if (pool.usedBytes() < limitBytes) {
      return;
    }
    List<Account> asked = new ArrayList<>();
    lock.lock();
    try {
      long toBeFreed = 0;
      for (Account account : accounts) {
        toBeFreed += account.waitingBytes.getAsLong();
        toBeFreed += account.rotationWanted ? account.activeBytes.getAsLong() : 0;
      }
      Account oldest = oldest();
      // With writes that wait, all are asked: some of those asked before may be in such a write.
      boolean full = pool.isFull();
      while (oldest != null && (full || pool.usedBytes() - toBeFreed >= limitBytes)) {
        oldest.rotationWanted = true;
        toBeFreed += oldest.activeBytes.getAsLong();
        asked.add(oldest);
        oldest = oldest();
      }
    } finally {
      lock.unlock();
    }
    asked.forEach(account -> account.wanted.run());
  }

  /** Among the engines with writes that were not asked yet. */
  @GuardedBy("lock")
  private @Nullable Account oldest() {
    Account oldest = null;
    for (Account account : accounts) {
      boolean candidate = account.hasWrites && !account.rotationWanted;
      // Compared by difference: the clock may overflow.
      if (candidate && (oldest == null || account.firstWrite - oldest.firstWrite < 0)) {
        oldest = account;
      }
    }
    return oldest;
  }

  /** What one engine holds. The writing methods have one caller at a time. */
  final class Account {
    private final LongSupplier activeBytes;
    private final LongSupplier waitingBytes;
    private final Runnable wanted;

    // Written by the engine's writer, except the last, which the check above sets.
    private volatile long firstWrite;
    private volatile boolean hasWrites;
    private volatile boolean rotationWanted;

    private Account(LongSupplier activeBytes, LongSupplier waitingBytes, Runnable wanted) {
      this.activeBytes = activeBytes;
      this.waitingBytes = waitingBytes;
      this.wanted = wanted;
    }

    /** The engine has written to its memtable. */
    void wrote() {
      if (!hasWrites) {
        firstWrite = nanoTime.getAsLong();
        hasWrites = true;
      }
      check();
    }

    /** Asks for a rotation if the oldest write is older than an age in nanoseconds. */
    void askIfOlder(long age) {
      // Compared by difference: the clock may overflow.
      if (hasWrites && !rotationWanted && nanoTime.getAsLong() - firstWrite >= age) {
        rotationWanted = true;
        wanted.run();
      }
    }

    /** The engine has an empty memtable now. */
    void rotated() {
      hasWrites = false;
      rotationWanted = false;
    }

    boolean rotationWanted() {
      return rotationWanted;
    }

    /** The engine is gone. */
    void close() {
      lock.lock();
      try {
        accounts.remove(this);
      } finally {
        lock.unlock();
      }
    }
  }
}
