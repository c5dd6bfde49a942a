package io.silkkv.engine;

import io.silkkv.engine.api.SilkOptions;

/**
 * Who decides when flushes and compactions may use a volume, and how fast. Reads of clients, the
 * log and replication are counted under every policy and never wait under any.
 *
 * <p>As text, for configuration and benchmarks; {@link #parse} reads it and {@code toString} of
 * each policy writes it:
 *
 * <pre>
 * policy = "none" | "fixed:" rate | "auto-tuned:" rate | "silk:" option {"," option}
 * option = "budget=" rate | "floor=" rate | "threshold=" rate | "epsilon=" rate | "period-millis=" number
 *        | "replication-weight=" decimal | "parts=" ("all" | "bandwidth-only" | "priorities-only")
 * rate   = number ["KB" | "MB" | "GB" | "KiB" | "MiB" | "GiB"] ["/s"]
 * </pre>
 *
 * <p>Only {@code budget} must be given; the other options have the defaults of {@link
 * SilkOptions#forDevice}.
 */
public sealed interface IoPolicy {
  /** No limit: internal work takes what the volume gives. The lanes still keep flushes apart. */
  record None() implements IoPolicy {
    @Override
    public String toString() {
      return "none";
    }
  }

  /**
   * The limiter of RocksDB with a constant rate, as a baseline: bytes written by flushes and
   * compactions together, refilled every 100 ms; flushes go first, except in one of ten refills.
   *
   * @param bytesPerSecond the rate; {@link SilkOptions#MIN_RATE} or more
   */
  record Fixed(long bytesPerSecond) implements IoPolicy {
    public Fixed {
      checkRate("fixed", bytesPerSecond);
    }

    @Override
    public String toString() {
      return "fixed:" + bytesPerSecond;
    }
  }

  /**
   * The same limiter with RocksDB's auto-tuning, as a baseline: it starts at half of the largest
   * rate; every 100 refills it goes down by 5 % when less than half of them were used up, up by 5 %
   * when more than 90 % were, and to a twentieth of the largest when none was.
   *
   * @param maxBytesPerSecond the largest rate; {@link SilkOptions#MIN_RATE} or more. The smallest
   *     is a twentieth of it
   */
  record AutoTuned(long maxBytesPerSecond) implements IoPolicy {
    public AutoTuned {
      checkRate("auto-tuned", maxBytesPerSecond);
    }

    @Override
    public String toString() {
      return "auto-tuned:" + maxBytesPerSecond;
    }
  }

  /**
   * SILK (Balmau et al., USENIX ATC '19): internal work gets what clients leave of the volume;
   * flushes before L0 compactions before deeper ones, which pause while clients need it all. Reads
   * and writes of internal work are both limited.
   *
   * @param options budget, floors and which parts are on
   */
  record Silk(SilkOptions options) implements IoPolicy {
    @Override
    public String toString() {
      return "silk:" + IoPolicyText.write(options);
    }
  }

  /** The baseline without any limit. */
  static IoPolicy none() {
    return new None();
  }

  /** SILK with the defaults for a volume. */
  static IoPolicy silk(long deviceBytesPerSecond) {
    return new Silk(SilkOptions.forDevice(deviceBytesPerSecond));
  }

  /**
   * Reads a policy.
   *
   * @throws IllegalArgumentException when the text is none; the message says what is wrong
   */
  static IoPolicy parse(String text) {
    return IoPolicyText.parse(text);
  }

  private static void checkRate(String name, long bytesPerSecond) {
    if (bytesPerSecond < SilkOptions.MIN_RATE) {
      throw new IllegalArgumentException(
          name + " rate must be at least " + SilkOptions.MIN_RATE + ", not " + bytesPerSecond);
    }
  }
}
