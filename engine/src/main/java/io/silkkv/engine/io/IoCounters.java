package io.silkkv.engine.io;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Bytes and operations that reached the file system of one volume, per class and direction. Counts
 * only grow. Thread-safe; a reading is not a consistent cut across counters.
 */
public final class IoCounters {
  /** Which way the bytes went. */
  public enum Direction {
    READ,
    WRITE
  }

  private record Adders(
      LongAdder bytesRead,
      LongAdder reads,
      LongAdder bytesWritten,
      LongAdder writes,
      LongAdder syncs) {
    LongAdder bytes(Direction direction) {
      return direction == Direction.READ ? bytesRead : bytesWritten;
    }

    LongAdder operations(Direction direction) {
      return direction == Direction.READ ? reads : writes;
    }
  }

  /** Filled by the constructor and never changed after. */
  private final Map<IoClass, Adders> byClass = new EnumMap<>(IoClass.class);

  public IoCounters() {
    for (IoClass each : IoClass.values()) {
      byClass.put(
          each,
          new Adders(
              new LongAdder(), new LongAdder(), new LongAdder(), new LongAdder(), new LongAdder()));
    }
  }

  private Adders of(IoClass why) {
    Adders adders = byClass.get(why);
    if (adders == null) {
      throw new IllegalStateException("no counters for " + why);
    }
    return adders;
  }

  /** Counts one operation that moved {@code count} bytes. */
  public void add(IoClass why, Direction direction, long count) {
    Adders adders = of(why);
    adders.bytes(direction).add(count);
    adders.operations(direction).increment();
  }

  /** Counts one sync of a file. */
  public void addSync(IoClass why) {
    of(why).syncs().increment();
  }

  /** Bytes moved since the start. */
  public long bytes(IoClass why, Direction direction) {
    return of(why).bytes(direction).sum();
  }

  /** Read or write operations since the start. */
  public long operations(IoClass why, Direction direction) {
    return of(why).operations(direction).sum();
  }

  /** Syncs of files since the start. */
  public long syncs(IoClass why) {
    return of(why).syncs().sum();
  }
}
