package io.silkkv.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.engine.api.IoFigures;
import io.silkkv.engine.cache.BlockCache;
import io.silkkv.engine.io.FileSystem;
import io.silkkv.engine.io.IoCounters;
import io.silkkv.engine.memtable.SlabPool;
import io.silkkv.engine.scheduler.BackgroundJobs;
import io.silkkv.engine.scheduler.CpuClock;
import io.silkkv.engine.scheduler.EngineIo;
import io.silkkv.engine.scheduler.EngineLoad;
import io.silkkv.engine.scheduler.IoScheduler;
import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * What all engines of a node share: the volume and its I/O scheduler, memtable memory, the block
 * cache and the threads of background work. Close it after the engines. Thread-safe.
 */
public final class EngineResources implements AutoCloseable {
  /**
   * Least memtable budget of a node, in bytes. A write that has begun cannot be flushed and must
   * fit, with what others hold, into twice the budget; a write has up to 2 MiB and takes up to
   * twice that in a memtable.
   */
  public static final long MIN_MEMTABLE_BUDGET_BYTES = 8L << 20;

  private static final int SLAB_BYTES = 1 << 20;

  private final IoScheduler io;
  private final SlabPool slabs;
  private final BlockCache cache;
  private final BackgroundJobs jobs;
  private final MemoryBudget budget;
  private final InstantSource wallClock;
  private final LongSupplier nanoTime;
  private final Heartbeat heartbeat = new Heartbeat();

  /** Heap bytes that open tables hold; they add and take away their own. */
  private final AtomicLong tableMemory = new AtomicLong();

  @GuardedBy("this")
  private final SplittableRandom seeds;

  /**
   * Use of what the engines share.
   *
   * @param memtableBytes memory in use by memtables
   * @param memtableBudgetBytes memory that they should not exceed; twice as much is the limit
   * @param memtableWaits how many times a write waited for memory
   * @param cacheBytes size of the cached blocks
   * @param cacheCapacityBytes size that the cache may have
   * @param cacheHits blocks found in the cache
   * @param cacheMisses blocks that had to be read
   * @param cacheMetaBytes part of {@code cacheBytes} that holds indexes and filters
   * @param tableMemoryBytes heap that open tables take outside of the cache
   */
  public record Usage(
      long memtableBytes,
      long memtableBudgetBytes,
      long memtableWaits,
      long cacheBytes,
      long cacheCapacityBytes,
      long cacheHits,
      long cacheMisses,
      long cacheMetaBytes,
      long tableMemoryBytes) {}

  /**
   * What a node gives its engines.
   *
   * @param memtableBudgetBytes memory for the memtables of all engines; at least {@link
   *     #MIN_MEMTABLE_BUDGET_BYTES}
   * @param blockCacheBytes size of the block cache
   * @param ioPolicy who decides when internal work may use the volume
   */
  public record Options(long memtableBudgetBytes, long blockCacheBytes, IoPolicy ioPolicy) {
    /**
     * @throws IllegalArgumentException when the budget is too small
     */
    public Options {
      if (memtableBudgetBytes < MIN_MEMTABLE_BUDGET_BYTES) {
        throw new IllegalArgumentException(
            "memtableBudgetBytes "
                + memtableBudgetBytes
                + " must be at least "
                + MIN_MEMTABLE_BUDGET_BYTES
                + ", or a large write could wait for memory that only it holds");
      }
    }
  }

  /**
   * Takes its parts as they are; they are closed with it.
   *
   * @param nanoTime a clock that never goes back, in nanoseconds
   * @param wallClock tells how old files are
   * @param seed start of all chance in the engines
   */
  public EngineResources(
      IoScheduler io,
      SlabPool slabs,
      BlockCache cache,
      BackgroundJobs jobs,
      LongSupplier nanoTime,
      InstantSource wallClock,
      long seed) {
    this.io = io;
    this.slabs = slabs;
    this.cache = cache;
    this.jobs = jobs;
    this.wallClock = wallClock;
    this.nanoTime = nanoTime;
    this.budget = new MemoryBudget(slabs, nanoTime);
    slabs.onShortage(budget::check);
    this.seeds = new SplittableRandom(seed);
  }

  /**
   * Resources of a node with one volume, with threads for each kind of background work.
   *
   * @param files the files of the volume
   * @param counters what {@code files} counts; the scheduler sees there what clients use
   * @param nanoTime a clock that never goes back, in nanoseconds
   * @param seed start of all chance in the engines
   */
  public static EngineResources create(
      FileSystem files, IoCounters counters, Options options, LongSupplier nanoTime, long seed) {
    EngineResources resources =
        new EngineResources(
            scheduler(files, counters, options.ioPolicy(), nanoTime, seed),
            new SlabPool(options.memtableBudgetBytes(), SLAB_BYTES),
            new BlockCache(options.blockCacheBytes()),
            BackgroundJobs.forProcessors(Runtime.getRuntime().availableProcessors()),
            nanoTime,
            InstantSource.system(),
            seed);
    resources.heartbeat.start();
    return resources;
  }

  private static IoScheduler scheduler(
      FileSystem files, IoCounters counters, IoPolicy policy, LongSupplier nanoTime, long seed) {
    String name = policy.toString();
    RandomGenerator random = new SplittableRandom(seed);
    if (policy instanceof IoPolicy.Fixed fixed) {
      return IoScheduler.fixed(name, fixed.bytesPerSecond(), files, nanoTime, random);
    }
    if (policy instanceof IoPolicy.AutoTuned tuned) {
      return IoScheduler.autoTuned(name, tuned.maxBytesPerSecond(), files, nanoTime, random);
    }
    if (policy instanceof IoPolicy.Silk silk) {
      int processors = Runtime.getRuntime().availableProcessors();
      return IoScheduler.silk(
          name, silk.options(), files, counters, CpuClock.system(), processors, nanoTime);
    }
    return IoScheduler.unlimited(name, files);
  }

  /**
   * The same without an I/O policy.
   *
   * @throws IllegalArgumentException when the memtable budget is too small
   */
  public static EngineResources create(
      FileSystem files,
      long memtableBudgetBytes,
      long blockCacheBytes,
      LongSupplier nanoTime,
      long seed) {
    return create(
        files,
        new IoCounters(),
        new Options(memtableBudgetBytes, blockCacheBytes, IoPolicy.none()),
        nanoTime,
        seed);
  }

  public FileSystem files() {
    return io.files();
  }

  /**
   * Tells the I/O scheduler of bytes that do not pass {@link #files}, but compete with internal
   * work all the same.
   *
   * @param logged total written to logs on this volume
   * @param replicated total sent to followers
   */
  public void countTraffic(LongSupplier logged, LongSupplier replicated) {
    io.countTraffic(logged, replicated);
  }

  /** What the I/O scheduler does now. */
  public IoFigures io() {
    return io.figures();
  }

  /** Figures of this moment. */
  public Usage usage() {
    return new Usage(
        slabs.usedBytes(),
        slabs.budgetBytes(),
        slabs.waits(),
        cache.sizeBytes(),
        cache.capacityBytes(),
        cache.hits(),
        cache.misses(),
        cache.metaBytes(),
        tableMemory.get());
  }

  /** Announces an engine to the I/O scheduler. */
  EngineIo newEngineIo(Supplier<EngineLoad> load) {
    return io.add(load);
  }

  SlabPool slabs() {
    return slabs;
  }

  BlockCache cache() {
    return cache;
  }

  BackgroundJobs jobs() {
    return jobs;
  }

  AtomicLong tableMemory() {
    return tableMemory;
  }

  Heartbeat heartbeat() {
    return heartbeat;
  }

  LongSupplier nanoTime() {
    return nanoTime;
  }

  InstantSource wallClock() {
    return wallClock;
  }

  MemoryBudget budget() {
    return budget;
  }

  synchronized RandomGenerator newRandom() {
    return seeds.split();
  }

  /** Ends the threads and fails writes that wait for memory. Idempotent. */
  @Override
  public void close() {
    heartbeat.close();
    // First: jobs that wait for the volume could not end.
    io.close();
    jobs.close();
    slabs.close();
  }
}
