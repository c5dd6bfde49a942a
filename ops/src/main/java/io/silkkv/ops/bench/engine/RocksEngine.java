package io.silkkv.ops.bench.engine;

import io.silkkv.ops.bench.load.EntrySink;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import org.rocksdb.HistogramType;
import org.rocksdb.LRUCache;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.Options;
import org.rocksdb.RateLimiter;
import org.rocksdb.RateLimiterMode;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;
import org.rocksdb.WriteOptions;

/**
 * RocksDB in this process through its Java binding. Its log is off, as SilkKV's engine has none:
 * both are measured without. Thread-safe; closing must not overlap with other calls.
 */
final class RocksEngine implements MeasuredEngine {
  /** RocksDB's own. */
  private static final long REFILL_MICROS = 100_000;

  private static final int FAIRNESS = 10;
  private static final int PAPER_MEMTABLES = 2;
  private static final int PAPER_THREADS = 4;
  private static final int NEVER = 1 << 30;
  private static final long MEMTABLE_WITHOUT_FLUSH = 64L << 30;

  private final RocksDB db;
  private final Options options;
  private final Statistics statistics;
  private final WriteOptions writeOptions;
  private final ReadOptions readOptions = new ReadOptions();
  private final RocksVariant variant;
  private final SortedMap<String, String> notes;

  /** Whether background work was switched off. */
  private volatile boolean frozen;

  /** Native objects, the last made first. */
  private final Deque<AbstractNativeReference> owned;

  private RocksEngine(
      RocksDB db,
      Options options,
      Statistics statistics,
      RocksVariant variant,
      SortedMap<String, String> notes,
      Deque<AbstractNativeReference> owned) {
    this.db = db;
    this.options = options;
    this.statistics = statistics;
    this.variant = variant;
    this.notes = notes;
    this.owned = owned;
    this.writeOptions = new WriteOptions().setDisableWAL(true);
    owned.push(readOptions);
    owned.push(writeOptions);
    owned.push(db);
  }

  /**
   * Opens a new database.
   *
   * @param fixedRate bytes per second of flushes and compactions for {@link RocksVariant#FIXED}
   */
  static RocksEngine open(
      Path directory, EngineSettings settings, RocksVariant variant, long fixedRate)
      throws RocksDBException {
    RocksDB.loadLibrary();
    Deque<AbstractNativeReference> owned = new ArrayDeque<>();
    SortedMap<String, String> notes = new TreeMap<>();
    // Counts only: histograms would cost every operation something.
    Statistics statistics = new Statistics(EnumSet.allOf(HistogramType.class));
    owned.push(statistics);
    Options options = common(settings, owned, notes).setStatistics(statistics);
    owned.push(options);
    switch (variant) {
      case PAPER ->
          options
              .setMaxWriteBufferNumber(PAPER_MEMTABLES)
              .setMaxBackgroundJobs(PAPER_THREADS)
              .setLevel0SlowdownWritesTrigger(NEVER)
              .setLevel0StopWritesTrigger(NEVER)
              .setSoftPendingCompactionBytesLimit(0)
              .setHardPendingCompactionBytesLimit(0);
      case FIXED -> limit(options, fixedRate, false, owned, notes);
      case AUTO -> limit(options, settings.deviceBytesPerSecond(), true, owned, notes);
      case DEFAULTS, NO_COMPACTION -> {}
    }
    RocksDB db = RocksDB.open(options, directory.toString());
    return new RocksEngine(db, options, statistics, variant, notes, owned);
  }

  private static Options common(
      EngineSettings settings,
      Deque<AbstractNativeReference> owned,
      SortedMap<String, String> notes) {
    BloomFilter filter = new BloomFilter(EngineSettings.FILTER_BITS);
    owned.push(filter);
    LRUCache cache = new LRUCache(settings.cacheBytes());
    owned.push(cache);
    BlockBasedTableConfig table =
        new BlockBasedTableConfig()
            .setFilterPolicy(filter)
            .setBlockCache(cache)
            // What the filters and indexes take counts, so that the memory is the same for all.
            .setCacheIndexAndFilterBlocks(true)
            .setPinL0FilterAndIndexBlocksInCache(true);
    if (settings.blockBytes() > 0) {
      table.setBlockSize(settings.blockBytes());
    }
    notes.put("block_size", Long.toString(table.blockSize()));
    notes.put("block_cache", Long.toString(settings.cacheBytes()));
    notes.put("filter_bits_per_key", Integer.toString(EngineSettings.FILTER_BITS));
    notes.put("cache_index_and_filter_blocks", "true");
    notes.put("rate_limiter", "none");
    Options options = new Options();
    switch (settings.compression()) {
      case NONE -> options.setCompressionType(CompressionType.NO_COMPRESSION);
      case LZ4 -> options.setCompressionType(CompressionType.LZ4_COMPRESSION);
      case ZSTD -> options.setCompressionType(CompressionType.ZSTD_COMPRESSION);
      case TIERS -> {
        List<CompressionType> levels =
            new ArrayList<>(
                Collections.nCopies(options.numLevels(), CompressionType.LZ4_COMPRESSION));
        // With levels sized from the last one up, the second is the one that level 0 goes into.
        levels.set(0, CompressionType.NO_COMPRESSION);
        levels.set(1, CompressionType.NO_COMPRESSION);
        options
            .setCompressionPerLevel(levels)
            .setBottommostCompressionType(CompressionType.ZSTD_COMPRESSION);
      }
    }
    notes.put("compression", settings.compression().name().toLowerCase(Locale.ROOT));
    return options
        .setCreateIfMissing(true)
        .setErrorIfExists(true)
        .setTableFormatConfig(table)
        .setWriteBufferSize(settings.memtableBytes())
        .setMaxWriteBufferNumber(settings.memtables())
        .setMaxBackgroundJobs(settings.backgroundThreads())
        .setUseDirectReads(settings.directIo())
        .setUseDirectIoForFlushAndCompaction(settings.directIo());
  }

  private static void limit(
      Options options,
      long rate,
      boolean autoTuned,
      Deque<AbstractNativeReference> owned,
      SortedMap<String, String> notes) {
    RateLimiter limiter =
        new RateLimiter(rate, REFILL_MICROS, FAIRNESS, RateLimiterMode.WRITES_ONLY, autoTuned);
    owned.push(limiter);
    options.setRateLimiter(limiter);
    notes.put("rate_limiter", (autoTuned ? "auto-tuned up to " : "") + rate + " bytes/s, writes");
  }

  @Override
  public void put(byte[] key, byte[] value) throws RocksDBException {
    db.put(writeOptions, key, value);
  }

  @Override
  public byte @Nullable [] get(byte[] key) throws RocksDBException {
    return db.get(readOptions, key);
  }

  @Override
  public int scan(byte[] start, int limit, EntrySink sink) throws RocksDBException {
    int count = 0;
    try (RocksIterator iterator = db.newIterator(readOptions)) {
      for (iterator.seek(start); count < limit && iterator.isValid(); iterator.next()) {
        sink.entry(iterator.key(), iterator.value());
        count++;
      }
      iterator.status();
    }
    return count;
  }

  @Override
  public void delete(byte[] key) throws RocksDBException {
    db.delete(writeOptions, key);
  }

  @Override
  public Counters counters() {
    long flushed = statistics.getTickerCount(TickerType.FLUSH_WRITE_BYTES);
    long compacted = statistics.getTickerCount(TickerType.COMPACT_WRITE_BYTES);
    long stallMicros = statistics.getTickerCount(TickerType.STALL_MICROS);
    return new Counters(
        flushed + compacted,
        statistics.getTickerCount(TickerType.BLOCK_CACHE_BYTES_WRITE),
        TimeUnit.MICROSECONDS.toNanos(stallMicros),
        // Its counters move when a job ends, so that they say nothing about a second.
        new TreeMap<>());
  }

  @Override
  public long debtBytes() throws RocksDBException {
    if (frozen) {
      return db.getLongProperty("rocksdb.cur-size-all-mem-tables");
    }
    long waiting =
        db.getLongProperty("rocksdb.cur-size-all-mem-tables")
            - db.getLongProperty("rocksdb.cur-size-active-mem-table");
    return waiting + db.getLongProperty("rocksdb.estimate-pending-compaction-bytes");
  }

  @Override
  public boolean isSettled() throws RocksDBException {
    return db.getLongProperty("rocksdb.compaction-pending") == 0
        && db.getLongProperty("rocksdb.mem-table-flush-pending") == 0
        && db.getLongProperty("rocksdb.num-running-compactions") == 0
        && db.getLongProperty("rocksdb.num-running-flushes") == 0;
  }

  @Override
  public boolean debtNeverShrinks() {
    return frozen;
  }

  @Override
  public void beforeMeasuring() throws RocksDBException {
    if (variant != RocksVariant.NO_COMPACTION) {
      return;
    }
    db.setOptions(
        MutableColumnFamilyOptions.builder()
            .setDisableAutoCompactions(true)
            .setWriteBufferSize(MEMTABLE_WITHOUT_FLUSH)
            .build());
    // The new size holds from the next memtable on.
    try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
      db.flush(flush);
    }
    frozen = true;
  }

  @Override
  public SortedMap<String, String> effectiveOptions() {
    SortedMap<String, String> all = new TreeMap<>(notes);
    boolean floor = variant == RocksVariant.NO_COMPACTION;
    all.put("version", RocksDB.rocksdbVersion().toString());
    all.put("wal", "off");
    all.put(
        "write_buffer_size",
        floor ? "unlimited while measured" : Long.toString(options.writeBufferSize()));
    all.put("max_write_buffer_number", Integer.toString(options.maxWriteBufferNumber()));
    all.put("max_background_jobs", Integer.toString(options.maxBackgroundJobs()));
    all.put("use_direct_reads", Boolean.toString(options.useDirectReads()));
    all.put(
        "use_direct_io_for_flush_and_compaction",
        Boolean.toString(options.useDirectIoForFlushAndCompaction()));
    all.put(
        "level0_file_num_compaction_trigger",
        Integer.toString(options.level0FileNumCompactionTrigger()));
    all.put(
        "level0_slowdown_writes_trigger", Integer.toString(options.level0SlowdownWritesTrigger()));
    all.put("level0_stop_writes_trigger", Integer.toString(options.level0StopWritesTrigger()));
    all.put(
        "soft_pending_compaction_bytes_limit",
        Long.toString(options.softPendingCompactionBytesLimit()));
    all.put("max_bytes_for_level_base", Long.toString(options.maxBytesForLevelBase()));
    all.put(
        "level_compaction_dynamic_level_bytes",
        Boolean.toString(options.levelCompactionDynamicLevelBytes()));
    all.put("target_file_size_base", Long.toString(options.targetFileSizeBase()));
    all.put("delayed_write_rate", Long.toString(options.delayedWriteRate()));
    all.put("auto_compactions", floor ? "off while measured" : "on");
    return all;
  }

  @Override
  public void close() {
    while (!owned.isEmpty()) {
      owned.pop().close();
    }
  }
}
