package io.silkkv.engine.scheduler;

import io.silkkv.engine.io.IoClass;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/** One wish of a thread to move bytes. Belongs to the lock of its limiter. */
final class IoRequest {
  /** The largest request: every one is a point at which a job can be held up. */
  static final int MAX_BYTES = 128 << 10;

  private final IoClass why;
  private final long cpuNanos;
  private final @Nullable IoJob job;

  /** Where the thread waits; null when somebody plays the threads, as tests in virtual time do. */
  private final @Nullable Condition wake;

  private int ungranted;

  /**
   * @param bytes 1 to {@link #MAX_BYTES}
   * @param cpuNanos processor time that the job has used since its last request
   * @param job what the bytes are a part of; null when only the class is known
   */
  IoRequest(IoClass why, int bytes, long cpuNanos, @Nullable IoJob job, @Nullable Condition wake) {
    if (bytes < 1 || bytes > MAX_BYTES) {
      throw new IllegalArgumentException("a request of " + bytes + " bytes");
    }
    this.why = why;
    this.ungranted = bytes;
    this.cpuNanos = cpuNanos;
    this.job = job;
    this.wake = wake;
  }

  IoClass why() {
    return why;
  }

  long cpuNanos() {
    return cpuNanos;
  }

  /** Bytes that are not granted yet. */
  int ungranted() {
    return ungranted;
  }

  boolean granted() {
    return ungranted == 0;
  }

  /** Grants some or all of the rest. */
  void grant(int bytes) {
    ungranted -= bytes;
    if (ungranted == 0 && wake != null) {
      wake.signal();
    }
  }

  /** Lets the thread look again: how long it has to wait may have changed. */
  void recheck() {
    if (wake != null) {
      wake.signal();
    }
  }

  /** Whether nobody needs the bytes any more. */
  boolean stopped() {
    return job != null && job.stopped();
  }

  /** How much its engine suffers, in whole steps; a job gains one step with every half minute. */
  long urgency(long now) {
    return job == null ? 0 : job.urgency(now);
  }

  /** Bytes until the end of its job: the fewest go first, because that ends most jobs. */
  long remainingBytes() {
    return job == null ? ungranted : job.remainingBytes();
  }
}
