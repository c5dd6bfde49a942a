package io.silkkv.engine.api;

import java.util.ArrayList;
import java.util.List;

/**
 * How SILK shares the bandwidth of one volume between clients and internal work. All rates are
 * bytes per second, reads and writes together; 1 MB is 1,000,000 bytes.
 *
 * <p>Every {@code periodMillis}, internal work gets {@code I = max(floor, T - C - epsilon)}, where
 * {@code C} is what client reads, the log and replication moved just now. Whatever the values, no
 * rate that follows from them is below 1 or above {@code T}.
 *
 * @param deviceBytesPerSecond T: what the volume can do; {@link #MIN_RATE} to {@link #MAX_RATE}
 * @param floorBytesPerSecond what internal work gets at least, however busy clients are; 1 to T.
 *     Measured needs of flush and L0 can raise it
 * @param thresholdBytesPerSecond a new rate is only set when it differs by more than this from the
 *     one in force; 0 to T. A change from or to the floor is always set
 * @param epsilonBytesPerSecond what is left free, so that the volume does not queue; 0 to T
 * @param periodMillis time between two looks at the load; 1 to 1000
 * @param replicationWeight share of the bytes sent to followers that counts as client load: 0 (not
 *     at all) to 10
 * @param parts which parts of the algorithm are on
 */
public record SilkOptions(
    long deviceBytesPerSecond,
    long floorBytesPerSecond,
    long thresholdBytesPerSecond,
    long epsilonBytesPerSecond,
    int periodMillis,
    double replicationWeight,
    Parts parts) {

  /** Least T: below it a single request would take longer than a second. */
  public static final long MIN_RATE = 1 << 20;

  /** Largest T, far beyond any volume: sums of rates stay exact. */
  public static final long MAX_RATE = 1L << 50;

  private static final long MB = 1_000_000;
  private static final double MAX_REPLICATION_WEIGHT = 10;

  /** The parts of SILK, so that each can be measured alone as in the paper's breakdown. */
  public enum Parts {
    /** The whole algorithm. */
    ALL,
    /**
     * Internal work gets what clients leave, but without classes: whoever asked first goes first,
     * and nothing is paused.
     */
    BANDWIDTH_ONLY,
    /**
     * Flush before L0 before deeper compaction, with preemption, but always at the rate T, however
     * busy clients are.
     */
    PRIORITIES_ONLY
  }

  /**
   * @throws IllegalArgumentException naming every value that is out of range
   */
  public SilkOptions {
    List<String> violations = new ArrayList<>();
    check(violations, "budget", deviceBytesPerSecond, MIN_RATE, MAX_RATE);
    check(violations, "floor", floorBytesPerSecond, 1, deviceBytesPerSecond);
    check(violations, "threshold", thresholdBytesPerSecond, 0, deviceBytesPerSecond);
    check(violations, "epsilon", epsilonBytesPerSecond, 0, deviceBytesPerSecond);
    check(violations, "period-millis", periodMillis, 1, 1000);
    // Written so that NaN does not pass.
    if (!(replicationWeight >= 0 && replicationWeight <= MAX_REPLICATION_WEIGHT)) {
      violations.add("replication-weight must be 0 to 10, not " + replicationWeight);
    }
    if (!violations.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", violations));
    }
  }

  private static void check(List<String> violations, String name, long value, long min, long max) {
    if (value < min || value > max) {
      violations.add(name + " must be " + min + " to " + max + ", not " + value);
    }
  }

  /**
   * Defaults for a volume: a tenth of it as floor, a twentieth as epsilon, 10 MB/s as threshold (a
   * twentieth of slower volumes), 10 ms, all of replication.
   */
  public static SilkOptions forDevice(long deviceBytesPerSecond) {
    return new SilkOptions(
        deviceBytesPerSecond,
        Math.max(1, deviceBytesPerSecond / 10),
        Math.min(10 * MB, Math.max(0, deviceBytesPerSecond / 20)),
        Math.max(0, deviceBytesPerSecond / 20),
        10,
        1,
        Parts.ALL);
  }

  /** The same with other parts. */
  public SilkOptions withParts(Parts other) {
    return new SilkOptions(
        deviceBytesPerSecond,
        floorBytesPerSecond,
        thresholdBytesPerSecond,
        epsilonBytesPerSecond,
        periodMillis,
        replicationWeight,
        other);
  }

  /** The same with another weight of replication. */
  public SilkOptions withReplicationWeight(double other) {
    return new SilkOptions(
        deviceBytesPerSecond,
        floorBytesPerSecond,
        thresholdBytesPerSecond,
        epsilonBytesPerSecond,
        periodMillis,
        other,
        parts);
  }
}
