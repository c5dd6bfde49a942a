package io.silkkv.engine.scheduler;

import io.silkkv.engine.io.IoClass;

/**
 * Decides who may move bytes when. Pure bookkeeping: time comes with each call, nobody waits here,
 * and {@link IoLimiter} does the waiting. Not thread-safe.
 */
sealed interface TokenLedger permits PriorityLedger, RefillLedger {
  /** Whether reads of internal work need tokens too. */
  boolean limitsReads();

  /** Takes a request; {@link #advance} grants it, now or later. */
  void add(IoRequest request, long now);

  /** Forgets a request that was not granted in full. */
  void remove(IoRequest request);

  /** Grants what is due now. */
  void advance(long now);

  /**
   * When to look again for a request that waits: not later than it can be granted if nothing
   * changes.
   *
   * @return nanoseconds from now; {@link Long#MAX_VALUE} when only a change can help
   */
  long nanosUntilDue(IoRequest request, long now);

  /** Lets all threads that wait look again, because rates have changed or jobs have stopped. */
  void recheckAll();

  /** Bytes per second that all classes share now. */
  long ratePerSecond();

  /** Requests of a class that wait. */
  int waiting(IoClass why);
}
