package io.silkkv.ops.bench.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.engine.EngineOptions;
import io.silkkv.engine.EngineResources;
import io.silkkv.engine.IoPolicy;
import io.silkkv.engine.LsmEngine;
import io.silkkv.engine.TierCompression;
import io.silkkv.engine.api.Compression;
import io.silkkv.engine.api.Cursor;
import io.silkkv.engine.api.EngineException;
import io.silkkv.engine.api.EngineListener;
import io.silkkv.engine.api.EngineStats;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.ReadView;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.StorageEngine;
import io.silkkv.engine.api.VersionedValue;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.engine.io.DirectIo;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.IoCounters;
import io.silkkv.engine.io.IoCounters.Direction;
import io.silkkv.engine.io.LocalFileSystem;
import io.silkkv.ops.bench.load.EntrySink;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * SilkKV's engine in this process, with a driver that stands in for the owner that it has in a
 * node: one writer at a time gives batches with rising positions, rotates when the engine wants it,
 * and waits while it takes no writes. There is no log, as in the engine itself.
 *
 * <p>A thread that wants to write queues its edit and waits for the turn; who has the turn writes
 * for all who wait, as a batch of the Raft log would. So no edit is handed to another thread.
 * Thread-safe; closing must not overlap with other calls.
 */
final class SilkEngine implements MeasuredEngine {
  private static final int MOST_IN_BATCH = 256;

  /** How often a writer looks whether it may go on; far below what a latency could show. */
  private static final long STALL_POLL_NANOS = 200_000;

  private static final byte[] NO_ATTACHMENT = {};

  private final EngineResources resources;
  private final IoCounters counters;
  private final EngineOptions options;
  private final EngineSettings settings;
  private final IoPolicy policy;
  private final LongSupplier nanoClock;
  private final StorageEngine engine;
  private final AtomicReference<@Nullable EngineException> failure = new AtomicReference<>();

  /** Edits that wait for the turn; as many as there are callers, at most. */
  private final Queue<Edit> waiting = new ConcurrentLinkedQueue<>();

  private final ReentrantLock turn = new ReentrantLock();

  @GuardedBy("turn")
  private long index;

  @GuardedBy("turn")
  private long sequence;

  private final LongAdder stallNanos = new LongAdder();

  /** One edit of one caller; {@code done} is for whoever has the turn. */
  private static final class Edit {
    private final WriteBatch.Mutation mutation;
    private boolean done;

    private Edit(WriteBatch.Mutation mutation) {
      this.mutation = mutation;
    }
  }

  private SilkEngine(
      Path directory, EngineSettings settings, IoPolicy policy, EngineSystems.Context context) {
    this.settings = settings;
    this.policy = policy;
    this.nanoClock = context.nanoClock();
    this.counters = new IoCounters();
    this.options = options(settings);
    this.resources =
        EngineResources.create(
            new LocalFileSystem(counters, settings.directIo() ? DirectIo.ON : DirectIo.OFF),
            counters,
            new EngineResources.Options(
                settings.memtableBudgetBytes(), settings.cacheBytes(), policy),
            nanoClock,
            context.seed());
    this.engine = LsmEngine.open(directory, options, resources, new Owner());
  }

  static SilkEngine open(
      Path directory, EngineSettings settings, IoPolicy policy, EngineSystems.Context context) {
    return new SilkEngine(directory, settings, policy, context);
  }

  private static EngineOptions options(EngineSettings settings) {
    EngineOptions.Builder builder =
        EngineOptions.DEFAULTS.toBuilder()
            .memtableBytes(settings.memtableBytes())
            .maxWaitingMemtables(settings.memtables())
            .bloomBitsPerKey(EngineSettings.FILTER_BITS)
            .bloomBitsPerKeyLast(EngineSettings.FILTER_BITS)
            .compression(compression(settings.compression()));
    if (settings.blockBytes() > 0) {
      builder.blockBytes(settings.blockBytes());
    }
    return builder.build();
  }

  private static TierCompression compression(TableCompression choice) {
    return switch (choice) {
      case NONE -> TierCompression.all(Compression.NONE);
      case LZ4 -> TierCompression.all(Compression.LZ4);
      case ZSTD -> TierCompression.all(Compression.ZSTD);
      case TIERS -> TierCompression.DEFAULTS;
    };
  }

  /** Hears what the engine tells the owner of a replica. */
  private final class Owner implements EngineListener {
    @Override
    public void flushWanted() {
      // The writer asks after each batch.
    }

    @Override
    public void flushed(LogPosition position) {
      // There is no log to cut.
    }

    @Override
    public void failed(EngineException cause) {
      failure.compareAndSet(null, cause);
    }
  }

  @Override
  public void put(byte[] key, byte[] value) throws InterruptedException {
    write(new WriteBatch.Put(Slice.wrap(key), Slice.wrap(value)));
  }

  @Override
  public void delete(byte[] key) throws InterruptedException {
    write(new WriteBatch.Delete(Slice.wrap(key)));
  }

  private void write(WriteBatch.Mutation mutation) throws InterruptedException {
    Edit edit = new Edit(mutation);
    waiting.add(edit);
    turn.lockInterruptibly();
    try {
      while (!edit.done) {
        writeWaiting();
      }
    } finally {
      turn.unlock();
    }
  }

  @GuardedBy("turn")
  private void writeWaiting() throws InterruptedException {
    awaitRoom();
    WriteBatch batch = new WriteBatch();
    List<Edit> edits = new ArrayList<>();
    for (Edit edit = waiting.poll(); edit != null; edit = waiting.poll()) {
      batch.add(edit.mutation);
      edits.add(edit);
      if (edits.size() == MOST_IN_BATCH) {
        break;
      }
    }
    index++;
    sequence += batch.count();
    engine.write(batch, new LogPosition(1, index, sequence));
    edits.forEach(edit -> edit.done = true);
    if (engine.wantsRotation()) {
      // The listener hears of a failure.
      CompletableFuture<LogPosition> unused = engine.rotate(NO_ATTACHMENT);
    }
  }

  /** A leader would refuse its clients meanwhile, and they would come again. */
  @GuardedBy("turn")
  private void awaitRoom() throws InterruptedException {
    if (engine.acceptsWrites()) {
      return;
    }
    long began = nanoClock.getAsLong();
    while (!engine.acceptsWrites()) {
      EngineException cause = failure.get();
      if (cause != null) {
        throw cause;
      }
      LockSupport.parkNanos(STALL_POLL_NANOS);
      if (Thread.interrupted()) {
        throw new InterruptedException("while the engine takes no writes");
      }
    }
    stallNanos.add(nanoClock.getAsLong() - began);
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    VersionedValue found = engine.get(Slice.wrap(key));
    return found == null ? null : found.value().toByteArray();
  }

  @Override
  public int scan(byte[] start, int limit, EntrySink sink) {
    int count = 0;
    try (ReadView view = engine.view();
        Cursor cursor = view.cursor(Slice.wrap(start), null)) {
      for (cursor.first(); count < limit && cursor.valid(); cursor.next()) {
        sink.entry(cursor.key().toByteArray(), cursor.value().toByteArray());
        count++;
      }
    }
    return count;
  }

  @Override
  public Counters counters() {
    SortedMap<String, Long> byClass = new TreeMap<>();
    for (IoClass each : IoClass.values()) {
      byClass.put(
          each.name().toLowerCase(Locale.ROOT).replace('_', '-'),
          counters.bytes(each, Direction.READ) + counters.bytes(each, Direction.WRITE));
    }
    long written =
        counters.bytes(IoClass.FLUSH, Direction.WRITE)
            + counters.bytes(IoClass.L0, Direction.WRITE)
            + counters.bytes(IoClass.DEEP, Direction.WRITE);
    return new Counters(
        written, counters.bytes(IoClass.CLIENT_READ, Direction.READ), stallNanos.sum(), byClass);
  }

  @Override
  public long debtBytes() {
    EngineStats stats = engine.stats();
    return stats.waitingMemtables() * options.memtableBytes() + stats.debtBytes();
  }

  @Override
  public boolean isSettled() {
    return debtBytes() == 0;
  }

  @Override
  public SortedMap<String, String> effectiveOptions() {
    SortedMap<String, String> all = new TreeMap<>();
    all.put("io_policy", policy.toString());
    all.put("log", "none");
    all.put("block_cache", Long.toString(settings.cacheBytes()));
    all.put("memtable_budget", Long.toString(settings.memtableBudgetBytes()));
    all.put("memtable_bytes", Long.toString(options.memtableBytes()));
    all.put("max_waiting_memtables", Integer.toString(options.maxWaitingMemtables()));
    all.put("block_bytes", Integer.toString(options.blockBytes()));
    all.put("filter_bits_per_key", Integer.toString(options.bloomBitsPerKey()));
    all.put("target_file_bytes", Long.toString(options.targetFileBytes()));
    all.put("l0_compaction_trigger", Integer.toString(options.l0CompactionTrigger()));
    all.put("l0_stop_writes", Integer.toString(options.l0StopWrites()));
    all.put("level_base_bytes", Long.toString(options.levelBaseBytes()));
    all.put("level_multiplier", Integer.toString(options.levelMultiplier()));
    all.put("max_job_bytes", Long.toString(options.maxJobBytes()));
    all.put("background_threads", "1 flush, 1 level 0, 1 deeper");
    all.put("compression", settings.compression().name().toLowerCase(Locale.ROOT));
    all.put("dictionary_bytes", Integer.toString(options.dictionaryBytes()));
    all.put("direct_io", settings.directIo() ? "on" : "off");
    return all;
  }

  @Override
  public void close() {
    engine.close();
    resources.close();
  }
}
