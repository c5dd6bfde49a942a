package io.silkkv.engine.scrub;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.version.DamagedTables;
import io.silkkv.engine.version.Levels;
import io.silkkv.engine.version.TableFile;
import io.silkkv.engine.version.Version;
import io.silkkv.engine.version.VersionSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Verifies table after table, in the order of their numbers and then from the start again. Time
 * gives it credit in bytes, so that one round over all tables takes the given period, spread
 * evenly. Thread-safe; one table at a time.
 */
public final class Scrubber {
  private final VersionSet versions;
  private final DamagedTables damaged;
  private final long periodNanos;
  private final BooleanSupplier stopped;
  private final AtomicLong scrubbedBytes = new AtomicLong();
  private final Object lock = new Object();

  @GuardedBy("lock")
  private double creditBytes;

  @GuardedBy("lock")
  private long lastNumber;

  @GuardedBy("lock")
  private long lastNanos;

  /**
   * @param periodNanos time for one round; 0 for never
   * @param firstNumber where to start; by chance, so that restarts do not keep late tables from
   *     their turn
   * @param nowNanos reading of the clock that {@link #due} is asked with
   * @param stopped whether to give up the table at hand
   */
  public Scrubber(
      VersionSet versions,
      DamagedTables damaged,
      long periodNanos,
      long firstNumber,
      long nowNanos,
      BooleanSupplier stopped) {
    this.versions = versions;
    this.damaged = damaged;
    this.periodNanos = periodNanos;
    this.stopped = stopped;
    synchronized (lock) {
      this.lastNumber = firstNumber;
      this.lastNanos = nowNanos;
    }
  }

  /** Bytes verified since the start. */
  public long scrubbedBytes() {
    return scrubbedBytes.get();
  }

  /** Whether enough time has passed for another table. A table may take more than there is. */
  public boolean due(long nowNanos) {
    if (periodNanos == 0) {
      return false;
    }
    Levels levels = versions.durable().version().levels();
    long all = 0;
    for (int level = 0; level < Levels.COUNT; level++) {
      all += levels.bytes(level);
    }
    synchronized (lock) {
      double share = Math.min(1, (double) (nowNanos - lastNanos) / periodNanos);
      lastNanos = nowNanos;
      // Never more than a round: a clock that stood still must not lead to a storm of reads.
      creditBytes = Math.min(creditBytes + share * all, (double) all);
      return all > 0 && creditBytes > 0;
    }
  }

  /**
   * Verifies the next table.
   *
   * @return its size; 0 when there is none
   * @throws io.silkkv.engine.api.EngineIoException when it cannot be read at all
   */
  public long run() {
    Version version = versions.pin().version();
    try {
      TableFile next = next(version);
      if (next == null) {
        return 0;
      }
      try {
        next.reader().verify(stopped);
      } catch (CorruptionException e) {
        damaged.add(next.metadata(), e);
      }
      scrubbedBytes.addAndGet(next.metadata().fileBytes());
      return next.metadata().fileBytes();
    } finally {
      version.release();
    }
  }

  private @Nullable TableFile next(Version version) {
    Set<Long> skipped = damaged.numbers();
    TableFile first = null;
    TableFile after = null;
    synchronized (lock) {
      for (int level = 0; level < Levels.COUNT; level++) {
        for (TableFile table : version.tables(level)) {
          long number = table.metadata().number();
          if (skipped.contains(number)) {
            continue;
          }
          first = lower(first, table);
          after = number > lastNumber ? lower(after, table) : after;
        }
      }
      TableFile next = after == null ? first : after;
      if (next != null) {
        lastNumber = next.metadata().number();
        creditBytes -= next.metadata().fileBytes();
      }
      return next;
    }
  }

  private static TableFile lower(@Nullable TableFile one, TableFile other) {
    return one == null || other.metadata().number() < one.metadata().number() ? other : one;
  }
}
