package io.silkkv.client;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Bounds the calls in flight and their bytes. Thread-safe. Whoever acquired must release the same
 * number of bytes once.
 */
final class InFlightLimit {
  private final int maxCalls;
  private final int maxBytes;
  private final Semaphore calls;
  private final Semaphore bytes;

  InFlightLimit(int maxCalls, int maxBytes) {
    this.maxCalls = maxCalls;
    this.maxBytes = maxBytes;
    this.calls = new Semaphore(maxCalls);
    this.bytes = new Semaphore(maxBytes);
  }

  boolean tryAcquire(int size) {
    if (!calls.tryAcquire()) {
      return false;
    }
    if (!bytes.tryAcquire(size)) {
      calls.release();
      return false;
    }
    return true;
  }

  /**
   * Waits for room; false when there was none in time.
   *
   * @param remainingNanos how long it may still wait, asked before each wait
   */
  boolean acquire(int size, LongSupplier remainingNanos) throws InterruptedException {
    if (tryAcquire(size)) {
      return true;
    }
    if (!calls.tryAcquire(remainingNanos.getAsLong(), TimeUnit.NANOSECONDS)) {
      return false;
    }
    boolean acquired = false;
    try {
      acquired = bytes.tryAcquire(size, remainingNanos.getAsLong(), TimeUnit.NANOSECONDS);
      return acquired;
    } finally {
      if (!acquired) {
        calls.release();
      }
    }
  }

  void release(int size) {
    bytes.release(size);
    calls.release();
  }

  int callsInFlight() {
    return maxCalls - calls.availablePermits();
  }

  @Override
  public String toString() {
    return callsInFlight()
        + " of "
        + maxCalls
        + " calls and "
        + (maxBytes - bytes.availablePermits())
        + " of "
        + maxBytes
        + " bytes are in flight";
  }
}
