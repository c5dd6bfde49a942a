package io.silkkv.engine.scheduler;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.engine.api.IoFigures;
import io.silkkv.engine.io.IoClass;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets threads wait until a {@link TokenLedger} grants what they ask for. A thread waits no longer
 * than until its request is due, and then looks for everybody; it is woken earlier when its request
 * was granted by another, when rates change, and on close. Whether its job should stop is looked at
 * now and then, and at once after {@link #wakeStopped}. Thread-safe; its lock is a leaf and not
 * held while bytes move.
 */
final class IoLimiter<L extends TokenLedger> implements AutoCloseable {
  /** Timers are not finer than this; it also bounds how often a thread looks. */
  private static final long MIN_WAIT_NANOS = 20_000;

  private final LongSupplier nanoTime;
  private final long lookNanos;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final L ledger;

  private final boolean limitsReads;

  @GuardedBy("lock")
  private final Map<IoClass, Tally> tallies = new EnumMap<>(IoClass.class);

  @GuardedBy("lock")
  private boolean closed;

  /** What happened to the requests of a class since the start. */
  private static final class Tally {
    long bytes;
    long requests;
    long waits;
    long waitedNanos;
  }

  /**
   * @param nanoTime a clock that never goes back, in nanoseconds
   * @param lookNanos how often a thread that waits looks whether its job should stop
   */
  IoLimiter(L ledger, LongSupplier nanoTime, long lookNanos) {
    this.ledger = ledger;
    this.lookNanos = lookNanos;
    this.limitsReads = ledger.limitsReads();
    this.nanoTime = nanoTime;
    lock.lock();
    try {
      for (IoClass why : IoClass.values()) {
        if (why.isThrottled()) {
          tallies.put(why, new Tally());
        }
      }
    } finally {
      lock.unlock();
    }
  }

  boolean limitsReads() {
    return limitsReads;
  }

  /**
   * Waits until bytes may move. Returns at once when the job should stop or after {@link #close}:
   * then it does not matter any more. An interrupt does not end the wait; the thread keeps it.
   *
   * @param why a throttled class
   * @param bytes 1 to {@link IoRequest#MAX_BYTES}
   * @param cpuNanos processor time that the job has used since its last request
   * @param job what they are a part of, if known
   */
  void acquire(IoClass why, int bytes, long cpuNanos, @Nullable IoJob job) {
    boolean interrupted = false;
    lock.lock();
    try {
      Condition wake = lock.newCondition();
      long askedAt = nanoTime.getAsLong();
      long now = askedAt;
      IoRequest request = new IoRequest(why, bytes, cpuNanos, job, wake);
      ledger.add(request, now);
      ledger.advance(now);
      boolean waits = !request.granted();
      while (!request.granted() && !closed && !request.stopped()) {
        long nanos = Math.min(ledger.nanosUntilDue(request, now), lookNanos);
        try {
          var unused = wake.awaitNanos(Math.max(MIN_WAIT_NANOS, nanos));
        } catch (InterruptedException e) {
          interrupted = true;
        }
        now = nanoTime.getAsLong();
        ledger.advance(now);
      }
      if (!request.granted()) {
        ledger.remove(request);
        ledger.recheckAll();
      }
      count(why, bytes - request.ungranted(), waits, now - askedAt);
    } finally {
      lock.unlock();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @GuardedBy("lock")
  private void count(IoClass why, int granted, boolean waited, long nanos) {
    Tally tally = tally(why);
    tally.bytes += granted;
    tally.requests++;
    if (waited) {
      tally.waits++;
      tally.waitedNanos += nanos;
    }
  }

  @GuardedBy("lock")
  private Tally tally(IoClass why) {
    Tally tally = tallies.get(why);
    if (tally == null) {
      throw new IllegalArgumentException(why + " is never throttled");
    }
    return tally;
  }

  /**
   * Changes the ledger, grants what is due after that, and lets all who wait look again.
   *
   * @param change gets the ledger and the time; must not wait
   */
  void update(ObjLongConsumer<L> change) {
    lock.lock();
    try {
      long now = nanoTime.getAsLong();
      change.accept(ledger, now);
      ledger.advance(now);
      ledger.recheckAll();
    } finally {
      lock.unlock();
    }
  }

  /** Lets the threads of jobs that should stop go on. */
  void wakeStopped() {
    lock.lock();
    try {
      ledger.recheckAll();
    } finally {
      lock.unlock();
    }
  }

  /** Bytes per second that all classes share now. */
  long ratePerSecond() {
    lock.lock();
    try {
      return ledger.ratePerSecond();
    } finally {
      lock.unlock();
    }
  }

  /** What the requests of each throttled class got and waited for so far. */
  List<IoFigures.Requests> figures() {
    lock.lock();
    try {
      List<IoFigures.Requests> figures = new ArrayList<>();
      tallies.forEach(
          (why, tally) ->
              figures.add(
                  new IoFigures.Requests(
                      why,
                      tally.requests,
                      tally.bytes,
                      tally.waits,
                      tally.waitedNanos,
                      ledger.waiting(why))));
      return figures;
    } finally {
      lock.unlock();
    }
  }

  /** Ends all waits, also those that would begin later. Idempotent. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      ledger.recheckAll();
    } finally {
      lock.unlock();
    }
  }
}
