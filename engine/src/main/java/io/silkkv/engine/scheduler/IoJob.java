package io.silkkv.engine.scheduler;

import io.silkkv.engine.io.IoClass;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A flush or compaction under way, so that the scheduler can tell which of two should go first. One
 * thread works on it; figures may be read by any.
 */
public final class IoJob {
  /** Age that counts like one step of urgency, so that no job waits forever. */
  private static final double AGING_NANOS = 30e9;

  /** Beyond it all are equally urgent; keeps sums far from overflow. */
  private static final double MAX_URGENCY = 1e6;

  /**
   * What is known when a job starts.
   *
   * @param why class of most of its bytes
   * @param inputBytes bytes that leave the memtable or the upper level
   * @param totalBytes bytes that it will read and write, as far as can be told
   * @param urgency how much its engine needs it now, 1 for normal; asked under a lock, so it must
   *     neither wait nor take a lock
   * @param stopped whether the job should give up; the same holds for it
   */
  public record Description(
      IoClass why,
      long inputBytes,
      long totalBytes,
      DoubleSupplier urgency,
      BooleanSupplier stopped) {}

  private final Description description;
  private final long startedAt;
  private final @Nullable IoJob outer;

  /** Written by the job's thread only. */
  private final AtomicLong movedBytes = new AtomicLong();

  /** Processor time of its thread when it last asked for tokens. Confined to the job's thread. */
  private long cpuSeen;

  IoJob(Description description, long startedAt, long cpuNow, @Nullable IoJob outer) {
    this.description = description;
    this.startedAt = startedAt;
    this.cpuSeen = cpuNow;
    this.outer = outer;
  }

  Description description() {
    return description;
  }

  boolean stopped() {
    return description.stopped().getAsBoolean();
  }

  /** What its thread works on after its end. */
  @Nullable IoJob outer() {
    return outer;
  }

  /** Bytes moved so far. */
  long movedBytes() {
    return movedBytes.get();
  }

  void moved(int bytes) {
    movedBytes.setRelease(movedBytes.getPlain() + bytes);
  }

  long remainingBytes() {
    return Math.max(0, description.totalBytes() - movedBytes.get());
  }

  long urgency(long now) {
    double own = description.urgency().getAsDouble();
    double aged = own + Math.max(0, now - startedAt) / AGING_NANOS;
    // The cast takes care of NaN.
    return (long) Math.max(0, Math.min(aged, MAX_URGENCY));
  }

  /** Processor time since the last call, in nanoseconds. */
  long cpuSince(long cpuNow) {
    long used = Math.max(0, cpuNow - cpuSeen);
    cpuSeen = cpuNow;
    return used;
  }
}
