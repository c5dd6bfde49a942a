package io.silkkv.engine;

import io.silkkv.engine.api.PrefixRule;
import io.silkkv.engine.compaction.CompactionOptions;
import io.silkkv.engine.sstable.SSTableOptions;
import io.silkkv.engine.version.Tier;
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
 * @param bloomBitsPerKeyLast those of the last level, which needs nine tenths of all filter memory;
 *     0 when most keys that are asked for exist
 * @param prefixes which prefixes of keys filters hold too, so that scans over one prefix pass by
 *     tables without it
 * @param compression of tables, by their place in the tree
 * @param dictionaryBytes size of the dictionary of each table of the last level that Zstandard
 *     compresses, 0 (none) to 1 MiB. Small blocks and small values gain most; training costs some
 *     100 ms of processor time a table
 * @param targetFileBytes size at which a compaction closes an output file; 1 KiB or more
 * @param l0CompactionTrigger number of level 0 files from which on they are merged; 1 or more
 * @param l0StopWrites number of level 0 files from which on new writes are refused; more than the
 *     trigger
 * @param levelBaseBytes size that the base level may have, which level 0 is merged into; 1 KiB or
 *     more
 * @param levelMultiplier how much larger each level may be than the one above; 2 to 100
 * @param levelMultipliers exceptions from it, at most 5: element i is for level i + 2 relative to
 *     level i + 1; 0 and what is missing mean the rule
 * @param maxJobBytes size of the inputs beyond which a compaction takes no more tables than it
 *     must; 1 KiB or more. Larger jobs are more efficient, smaller ones hold files for less time
 * @param maxL0Jobs compactions of level 0 at a time, 1 to 8; more than one run only when their key
 *     ranges are apart
 * @param maxDeepJobs compactions of deeper levels at a time, 1 to 8; the node's threads bound them
 *     too
 * @param tombstonePercent share of deletions among the entries of a table from which on it is
 *     compacted for them alone; 1 to 100
 * @param fileTtlSeconds age of its oldest data at which a table moves towards the last level, so
 *     that old versions of cold keys go; 0 for never
 * @param scrubPeriodSeconds time in which all tables are read once to find damage, spread evenly; 0
 *     for never
 * @param flushAgeSeconds age of the oldest write in memory at which it is flushed though the
 *     memtable is not full, so that the log can be purged; 0 for never
 * @param deleteBytesPerSecond pace at which files that are not needed any more are removed; faster
 *     when much waits. 0 for no limit
 * @param manifestRollBytes size at which a new manifest is started; 1 KiB or more
 */
public record EngineOptions(
    long memtableBytes,
    int maxWaitingMemtables,
    int blockBytes,
    int bloomBitsPerKey,
    int bloomBitsPerKeyLast,
    PrefixRule prefixes,
    TierCompression compression,
    int dictionaryBytes,
    long targetFileBytes,
    int l0CompactionTrigger,
    int l0StopWrites,
    long levelBaseBytes,
    int levelMultiplier,
    List<Integer> levelMultipliers,
    long maxJobBytes,
    int maxL0Jobs,
    int maxDeepJobs,
    int tombstonePercent,
    long fileTtlSeconds,
    long scrubPeriodSeconds,
    long flushAgeSeconds,
    long deleteBytesPerSecond,
    long manifestRollBytes) {

  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;

  /** Entries of a block from one whole key to the next. */
  private static final int RESTART_INTERVAL = 16;

  /** A hundred years: fits the nanoseconds of a clock. */
  private static final long MAX_PERIOD_SECONDS = 100L * 365 * 24 * 60 * 60;

  /** For a server: 64 MiB memtables, 32 MiB files, 256 MiB on the base level. */
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
    check(violations, "bloomBitsPerKeyLast", bloomBitsPerKeyLast, 0, 64);
    check(violations, "dictionaryBytes", dictionaryBytes, 0, MIB);
    check(violations, "targetFileBytes", targetFileBytes, KIB, Long.MAX_VALUE);
    check(violations, "l0CompactionTrigger", l0CompactionTrigger, 1, 1000);
    check(violations, "l0StopWrites", l0StopWrites, l0CompactionTrigger + 1L, 10_000);
    check(violations, "levelBaseBytes", levelBaseBytes, KIB, Long.MAX_VALUE);
    check(violations, "levelMultiplier", levelMultiplier, 2, 100);
    levelMultipliers = List.copyOf(levelMultipliers);
    check(violations, "number of levelMultipliers", levelMultipliers.size(), 0, 5);
    for (int exception : levelMultipliers) {
      check(violations, "levelMultipliers, each", exception == 0 ? 2 : exception, 2, 100);
    }
    check(violations, "maxJobBytes", maxJobBytes, KIB, Long.MAX_VALUE);
    check(violations, "maxL0Jobs", maxL0Jobs, 1, 8);
    check(violations, "maxDeepJobs", maxDeepJobs, 1, 8);
    check(violations, "tombstonePercent", tombstonePercent, 1, 100);
    check(violations, "fileTtlSeconds", fileTtlSeconds, 0, Long.MAX_VALUE);
    check(violations, "scrubPeriodSeconds", scrubPeriodSeconds, 0, MAX_PERIOD_SECONDS);
    check(violations, "flushAgeSeconds", flushAgeSeconds, 0, MAX_PERIOD_SECONDS);
    check(violations, "deleteBytesPerSecond", deleteBytesPerSecond, 0, Long.MAX_VALUE);
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

  CompactionOptions compaction() {
    return new CompactionOptions(
        l0CompactionTrigger,
        levelBaseBytes,
        levelMultiplier,
        levelMultipliers,
        targetFileBytes,
        maxJobBytes,
        maxL0Jobs,
        maxDeepJobs,
        tombstonePercent,
        fileTtlSeconds);
  }

  /** Layout of the tables that are written to a place in the tree. */
  SSTableOptions tableOptions(Tier tier) {
    return new SSTableOptions(
        blockBytes,
        RESTART_INTERVAL,
        tier == Tier.LAST ? bloomBitsPerKeyLast : bloomBitsPerKey,
        compression.of(tier),
        tier == Tier.LAST ? dictionaryBytes : 0,
        prefixes);
  }

  /** A builder that starts from these values. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.memtableBytes = memtableBytes;
    builder.maxWaitingMemtables = maxWaitingMemtables;
    builder.blockBytes = blockBytes;
    builder.bloomBitsPerKey = bloomBitsPerKey;
    builder.bloomBitsPerKeyLast = bloomBitsPerKeyLast;
    builder.prefixes = prefixes;
    builder.compression = compression;
    builder.dictionaryBytes = dictionaryBytes;
    builder.targetFileBytes = targetFileBytes;
    builder.l0CompactionTrigger = l0CompactionTrigger;
    builder.l0StopWrites = l0StopWrites;
    builder.levelBaseBytes = levelBaseBytes;
    builder.levelMultiplier = levelMultiplier;
    builder.levelMultipliers = levelMultipliers;
    builder.maxJobBytes = maxJobBytes;
    builder.maxL0Jobs = maxL0Jobs;
    builder.maxDeepJobs = maxDeepJobs;
    builder.tombstonePercent = tombstonePercent;
    builder.fileTtlSeconds = fileTtlSeconds;
    builder.scrubPeriodSeconds = scrubPeriodSeconds;
    builder.flushAgeSeconds = flushAgeSeconds;
    builder.deleteBytesPerSecond = deleteBytesPerSecond;
    builder.manifestRollBytes = manifestRollBytes;
    return builder;
  }

  /** Collects values; what is not set keeps its default. Not thread-safe. */
  public static final class Builder {
    private long memtableBytes = 64 * MIB;
    private int maxWaitingMemtables = 4;
    private int blockBytes = (int) (16 * KIB);
    private int bloomBitsPerKey = 10;
    private int bloomBitsPerKeyLast = 10;
    private PrefixRule prefixes = PrefixRule.NONE;
    private TierCompression compression = TierCompression.DEFAULTS;
    private int dictionaryBytes;
    private long targetFileBytes = 32 * MIB;
    private int l0CompactionTrigger = 4;
    private int l0StopWrites = 36;
    private long levelBaseBytes = 256 * MIB;
    private int levelMultiplier = 10;
    private List<Integer> levelMultipliers = List.of();
    private long maxJobBytes = 800 * MIB;
    private int maxL0Jobs = 2;
    private int maxDeepJobs = 2;
    private int tombstonePercent = 50;
    private long fileTtlSeconds = 30L * 24 * 60 * 60;
    private long scrubPeriodSeconds = 14L * 24 * 60 * 60;
    private long flushAgeSeconds = 30 * 60;
    private long deleteBytesPerSecond = 128 * MIB;
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

    public Builder bloomBitsPerKeyLast(int value) {
      bloomBitsPerKeyLast = value;
      return this;
    }

    public Builder prefixes(PrefixRule value) {
      prefixes = value;
      return this;
    }

    public Builder compression(TierCompression value) {
      compression = value;
      return this;
    }

    public Builder dictionaryBytes(int value) {
      dictionaryBytes = value;
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

    public Builder levelMultipliers(List<Integer> value) {
      levelMultipliers = value;
      return this;
    }

    public Builder maxJobBytes(long value) {
      maxJobBytes = value;
      return this;
    }

    public Builder maxL0Jobs(int value) {
      maxL0Jobs = value;
      return this;
    }

    public Builder maxDeepJobs(int value) {
      maxDeepJobs = value;
      return this;
    }

    public Builder tombstonePercent(int value) {
      tombstonePercent = value;
      return this;
    }

    public Builder fileTtlSeconds(long value) {
      fileTtlSeconds = value;
      return this;
    }

    public Builder scrubPeriodSeconds(long value) {
      scrubPeriodSeconds = value;
      return this;
    }

    public Builder flushAgeSeconds(long value) {
      flushAgeSeconds = value;
      return this;
    }

    public Builder deleteBytesPerSecond(long value) {
      deleteBytesPerSecond = value;
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
          bloomBitsPerKeyLast,
          prefixes,
          compression,
          dictionaryBytes,
          targetFileBytes,
          l0CompactionTrigger,
          l0StopWrites,
          levelBaseBytes,
          levelMultiplier,
          levelMultipliers,
          maxJobBytes,
          maxL0Jobs,
          maxDeepJobs,
          tombstonePercent,
          fileTtlSeconds,
          scrubPeriodSeconds,
          flushAgeSeconds,
          deleteBytesPerSecond,
          manifestRollBytes);
    }
  }
}
