package io.silkkv.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * How one engine lays out its data and when it works on it.
 *
 * @param memtableBytes size at which a memtable wants to be rotated; 1 KiB or more
 * @param maxWaitingMemtables memtables that may wait for their flush before new writes are refused;
 *     1 to 64
 * @param blockBytes size of a data block, 64 bytes to 16 MiB
 * @param bloomBitsPerKey filter bits per key, 0 (no filter) to 64
 * @param targetFileBytes size at which a compaction closes an output file; 1 KiB or more
 * @param l0CompactionTrigger number of level 0 files from which on they are merged; 1 or more
 * @param l0StopWrites number of level 0 files from which on new writes are refused; more than the
 *     trigger
 * @param levelBaseBytes size that level 1 may have; 1 KiB or more
 * @param levelMultiplier how much larger each level may be than the one above; 2 to 100
 * @param manifestRollBytes size at which a new manifest is started; 1 KiB or more
 */
public record EngineOptions(
    long memtableBytes,
    int maxWaitingMemtables,
    int blockBytes,
    int bloomBitsPerKey,
    long targetFileBytes,
    int l0CompactionTrigger,
    int l0StopWrites,
    long levelBaseBytes,
    int levelMultiplier,
    long manifestRollBytes) {

  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;

  /** For a server: 64 MiB memtables, 32 MiB files, 256 MiB on level 1. */
  public static final EngineOptions DEFAULTS = new Builder().build();

  /**
   * @throws IllegalArgumentException naming every value that is out of range
   */
  public EngineOptions {
    List<String> violations = new ArrayList<>();
    check(violations, "memtableBytes", memtableBytes, KIB, Long.MAX_VALUE);
    check(violations, "maxWaitingMemtables", maxWaitingMemtables, 1, 64);
    check(violations, "blockBytes", blockBytes, 64, 16 * MIB);
    check(violations, "bloomBitsPerKey", bloomBitsPerKey, 0, 64);
    check(violations, "targetFileBytes", targetFileBytes, KIB, Long.MAX_VALUE);
    check(violations, "l0CompactionTrigger", l0CompactionTrigger, 1, 1000);
    check(violations, "l0StopWrites", l0StopWrites, l0CompactionTrigger + 1L, 10_000);
    check(violations, "levelBaseBytes", levelBaseBytes, KIB, Long.MAX_VALUE);
    check(violations, "levelMultiplier", levelMultiplier, 2, 100);
    check(violations, "manifestRollBytes", manifestRollBytes, KIB, Integer.MAX_VALUE);
    if (!violations.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", violations));
    }
  }

  private static void check(List<String> violations, String name, long value, long min, long max) {
    if (value < min || value > max) {
      String range = max == Long.MAX_VALUE ? min + " or more" : min + " to " + max;
      violations.add(name + " must be " + range + ", not " + value);
    }
  }

  /** A builder that starts from these values. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.memtableBytes = memtableBytes;
    builder.maxWaitingMemtables = maxWaitingMemtables;
    builder.blockBytes = blockBytes;
    builder.bloomBitsPerKey = bloomBitsPerKey;
    builder.targetFileBytes = targetFileBytes;
    builder.l0CompactionTrigger = l0CompactionTrigger;
    builder.l0StopWrites = l0StopWrites;
    builder.levelBaseBytes = levelBaseBytes;
    builder.levelMultiplier = levelMultiplier;
    builder.manifestRollBytes = manifestRollBytes;
    return builder;
  }

  /** Collects values; what is not set keeps its default. Not thread-safe. */
  public static final class Builder {
    private long memtableBytes = 64 * MIB;
    private int maxWaitingMemtables = 4;
    private int blockBytes = (int) (16 * KIB);
    private int bloomBitsPerKey = 10;
    private long targetFileBytes = 32 * MIB;
    private int l0CompactionTrigger = 4;
    private int l0StopWrites = 36;
    private long levelBaseBytes = 256 * MIB;
    private int levelMultiplier = 10;
    private long manifestRollBytes = 4 * MIB;

    private Builder() {}

    public Builder memtableBytes(long value) {
      memtableBytes = value;
      return this;
    }

    public Builder maxWaitingMemtables(int value) {
      maxWaitingMemtables = value;
      return this;
    }

    public Builder blockBytes(int value) {
      blockBytes = value;
      return this;
    }

    public Builder bloomBitsPerKey(int value) {
      bloomBitsPerKey = value;
      return this;
    }

    public Builder targetFileBytes(long value) {
      targetFileBytes = value;
      return this;
    }

    public Builder l0CompactionTrigger(int value) {
      l0CompactionTrigger = value;
      return this;
    }

    public Builder l0StopWrites(int value) {
      l0StopWrites = value;
      return this;
    }

    public Builder levelBaseBytes(long value) {
      levelBaseBytes = value;
      return this;
    }

    public Builder levelMultiplier(int value) {
      levelMultiplier = value;
      return this;
    }

    public Builder manifestRollBytes(long value) {
      manifestRollBytes = value;
      return this;
    }

    /**
     * @throws IllegalArgumentException naming every value that is out of range
     */
    public EngineOptions build() {
      return new EngineOptions(
          memtableBytes,
          maxWaitingMemtables,
          blockBytes,
          bloomBitsPerKey,
          targetFileBytes,
          l0CompactionTrigger,
          l0StopWrites,
          levelBaseBytes,
          levelMultiplier,
          manifestRollBytes);
    }
  }
}
