package io.silkkv.engine;

import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.api.EngineClosedException;
import io.silkkv.engine.api.EngineException;
import io.silkkv.engine.api.EngineIoException;
import io.silkkv.engine.api.EngineListener;
import io.silkkv.engine.api.EngineStats;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.Probe;
import io.silkkv.engine.api.ReadView;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.StorageEngine;
import io.silkkv.engine.api.VersionedValue;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.engine.base.ValueKind;
import io.silkkv.engine.checkpoint.CheckpointWriter;
import io.silkkv.engine.compaction.CompactionScheduler;
import io.silkkv.engine.compaction.LevelTargets;
import io.silkkv.engine.flush.FlushJob;
import io.silkkv.engine.flush.FlushQueue;
import io.silkkv.engine.flush.PendingFlush;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.memtable.MemTable;
import io.silkkv.engine.read.PublishedState;
import io.silkkv.engine.scheduler.BackgroundJobs;
import io.silkkv.engine.scheduler.EngineIo;
import io.silkkv.engine.scheduler.EngineLoad;
import io.silkkv.engine.scheduler.IoJob;
import io.silkkv.engine.scheduler.Lane;
import io.silkkv.engine.scrub.Scrubber;
import io.silkkv.engine.version.DamagedTables;
import io.silkkv.engine.version.Levels;
import io.silkkv.engine.version.ObsoleteFiles;
import io.silkkv.engine.version.TableStore;
import io.silkkv.engine.version.VersionEdit;
import io.silkkv.engine.version.VersionRecovery;
import io.silkkv.engine.version.VersionSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wires the parts of an engine to each other; the work is done in the packages below. The README of
 * this module shows the data flow, the threads and the order of locks.
 */
public final class LsmEngine implements StorageEngine {
  private static final Logger LOG = LoggerFactory.getLogger(LsmEngine.class);

  private final String name;
  private final EngineOptions options;
  private final EngineResources resources;
  private final RandomGenerator random;
  private final ObsoleteFiles obsoleteFiles;
  private final TableStore store;
  private final VersionSet versions;
  private final PublishedState state;
  private final FlushQueue flushQueue = new FlushQueue();
  private final EngineIo io;
  private final BackgroundJobs.Slot flushes;
  private final BackgroundJobs.Slot deletions;
  private final CompactionScheduler compactions;
  private final BackgroundJobs.Slot scrubs;
  private final OwnerNotices notices;
  private final DamagedTables damaged;
  private final Scrubber scrubber;
  private final Runnable heartbeat = this::lookAtTheClock;
  private final MemoryBudget.Account memory;
  private final AtomicLong flushCount = new AtomicLong();
  private final AtomicLong flushedBytes = new AtomicLong();
  private final AtomicBoolean closed = new AtomicBoolean();

  /** The first failure; the engine takes no writes after it. */
  private final AtomicReference<@Nullable EngineException> failure = new AtomicReference<>();

  /** Replaced by the single writer only; kept by the published state. */
  private volatile MemTable active;

  /** Memtable bytes taken since the start. Written by the single writer only. */
  private final AtomicLong writtenBytes = new AtomicLong();

  private LsmEngine(
      Path directory, EngineOptions options, EngineResources resources, EngineListener listener) {
    this.name = "the engine in " + directory;
    this.options = options;
    this.resources = resources;
    this.random = resources.newRandom();
    BackgroundJobs jobs = resources.jobs();
    this.notices = new OwnerNotices(listener, jobs);
    this.deletions = jobs.slot(Lane.CLEANUP, this::deleteObsolete);
    this.flushes = jobs.slot(Lane.FLUSH, this::flushNext, flushQueue::waitingMemtables);
    this.scrubs = jobs.slot(Lane.SCRUB, this::scrubNext);
    this.damaged = new DamagedTables(this::foundDamage);
    this.obsoleteFiles =
        new ObsoleteFiles(
            resources.files(),
            resources.nanoTime(),
            options.deleteBytesPerSecond(),
            deletions::request);
    this.store =
        new TableStore(
            resources.files(),
            directory,
            options::tableOptions,
            resources.cache(),
            obsoleteFiles,
            resources.tableMemory());
    this.versions =
        VersionRecovery.open(
            resources.files(), directory, store, obsoleteFiles, options.manifestRollBytes());
    this.active = newMemTable();
    this.state = new PublishedState(name, active, versions.durable().version(), flushed());
    this.io = resources.newEngineIo(this::load);
    this.compactions =
        new CompactionScheduler(
            store,
            versions,
            damaged,
            options.compaction(),
            jobs,
            resources.wallClock(),
            new CompactionScheduler.Callbacks(
                state::liveSequences,
                next -> state.install(next, null),
                this::isStopped,
                this::fail,
                io));
    this.scrubber =
        new Scrubber(
            versions,
            damaged,
            TimeUnit.SECONDS.toNanos(options.scrubPeriodSeconds()),
            random.nextLong(versions.nextFileNumber() + 1),
            resources.nanoTime().getAsLong(),
            this::isStopped);
    this.memory =
        resources
            .budget()
            .open(() -> active.heldBytes(), flushQueue::waitingBytes, notices::flushWanted);
  }

  /**
   * Opens the engine of a directory, or makes a new one when it is missing or empty. What is not
   * part of the durable state is removed.
   *
   * @throws io.silkkv.engine.api.CorruptionException when a file is damaged or missing
   * @throws io.silkkv.engine.api.UnsupportedFormatException when another release wrote a file in a
   *     format that this one does not read
   * @throws EngineIoException when the file system fails
   */
  public static StorageEngine open(
      Path directory, EngineOptions options, EngineResources resources, EngineListener listener) {
    LsmEngine engine = new LsmEngine(directory, options, resources, listener);
    engine.compactions.request();
    resources.heartbeat().add(engine.heartbeat);
    return engine;
  }

  private MemTable newMemTable() {
    return new MemTable(resources.slabs(), options.memtableBytes(), random);
  }

  @Override
  public void write(WriteBatch batch, LogPosition position) {
    checkWritable();
    checkFollows(batch, position);
    long before = active.sizeBytes();
    try {
      long sequence = position.sequence() - batch.count();
      for (WriteBatch.Mutation mutation : batch.mutations()) {
        sequence++;
        if (mutation instanceof WriteBatch.Put put) {
          active.add(ValueKind.PUT, put.key(), sequence, put.value());
        } else if (mutation instanceof WriteBatch.DeleteRange range) {
          active.addRange(range.start(), range.end(), sequence);
        } else {
          active.add(ValueKind.DELETE, mutation.key(), sequence, Slice.EMPTY);
        }
      }
    } catch (RuntimeException | Error e) {
      // Half of the batch may be in the memtable: it must never become visible or durable.
      fail(e);
      throw e;
    }
    writtenBytes.setRelease(writtenBytes.getPlain() + active.sizeBytes() - before);
    state.publish(position);
    if (!batch.isEmpty()) {
      memory.wrote();
    }
  }

  private void checkFollows(WriteBatch batch, LogPosition position) {
    LogPosition last = state.applied();
    if (!position.isAfter(last)
        || position.term() < last.term()
        || position.sequence() - batch.count() < last.sequence()) {
      throw new IllegalArgumentException(
          position + " with " + batch.count() + " edits does not follow " + last + " in " + name);
    }
  }

  @Override
  public boolean wantsRotation() {
    MemTable current = active;
    return !isStopped()
        && flushQueue.waitingMemtables() < options.maxWaitingMemtables()
        && !current.isEmpty()
        && (current.isFull() || memory.rotationWanted());
  }

  @Override
  public CompletableFuture<LogPosition> rotate(byte[] attachment) {
    checkWritable();
    VersionEdit.Flushed mark =
        new VersionEdit.Flushed(state.applied(), Slice.wrap(attachment.clone()));
    CompletableFuture<LogPosition> done;
    if (active.isEmpty()) {
      PendingFlush newest = flushQueue.newest();
      if (newest != null && newest.flushed().equals(mark)) {
        return newest.done();
      }
      if (newest == null && versions.durable().flushed().equals(mark)) {
        return CompletableFuture.completedFuture(mark.position());
      }
      done = flushQueue.add(null, mark);
    } else {
      MemTable full = active;
      MemTable fresh = newMemTable();
      state.rotate(fresh);
      active = fresh;
      memory.rotated();
      done = flushQueue.add(full, mark);
    }
    flushes.request();
    return done;
  }

  @Override
  public boolean acceptsWrites() {
    return !isStopped()
        && flushQueue.waitingMemtables() < options.maxWaitingMemtables()
        && !resources.budget().exhausted()
        && versions.durable().version().tables(0).size() < options.l0StopWrites();
  }

  @Override
  public @Nullable VersionedValue get(Slice key) {
    return state.get(key);
  }

  @Override
  public List<@Nullable VersionedValue> getAll(List<Slice> keys) {
    return state.getAll(keys);
  }

  @Override
  public Probe probe(Slice key) {
    return state.probe(key);
  }

  @Override
  public ReadView view() {
    return state.view();
  }

  @Override
  public LogPosition applied() {
    return state.applied();
  }

  @Override
  public LogPosition flushed() {
    return versions.durable().flushed().position();
  }

  @Override
  public byte[] attachment() {
    return versions.durable().flushed().attachment().toByteArray();
  }

  @Override
  public LogPosition checkpoint(Path target) {
    if (closed.get()) {
      throw new EngineClosedException(name);
    }
    return new CheckpointWriter(resources.files()).write(versions, target);
  }

  @Override
  public EngineStats stats() {
    Levels levels = versions.durable().version().levels();
    LevelTargets targets = compactions.targets(levels);
    List<EngineStats.Level> figures = new ArrayList<>();
    for (int level = 0; level < Levels.COUNT; level++) {
      figures.add(LevelFigures.of(levels, targets, level));
    }
    return new EngineStats(
        List.copyOf(figures),
        active.heldBytes() + flushQueue.waitingBytes(),
        flushQueue.waitingMemtables(),
        flushCount.get(),
        compactions.compactions(),
        flushedBytes.get(),
        compactions.compactedBytes(),
        state.openViews(),
        obsoleteFiles.bytes(),
        targets.baseLevel(),
        compactions.debtBytes(levels),
        damaged.count(),
        scrubber.scrubbedBytes());
  }

  /** Makes the oldest rotation durable. One at a time and in order, or positions could go back. */
  private void flushNext() {
    PendingFlush next = flushQueue.peek();
    if (next == null || isStopped()) {
      return;
    }
    try {
      long written = flush(next);
      if (written < 0) {
        return;
      }
      flushCount.incrementAndGet();
      flushedBytes.addAndGet(written);
    } catch (RuntimeException | Error e) {
      fail(e);
      return;
    }
    flushQueue.removeFirst();
    notices.flushed(next.flushed().position());
    next.done().complete(next.flushed().position());
    // One rotation a run: engines take turns.
    flushes.request();
    compactions.request();
    resources.budget().check();
  }

  private long flush(PendingFlush next) {
    FlushJob job = new FlushJob(store, versions, resources.wallClock(), this::isStopped);
    return io.run(
        new IoJob.Description(
            IoClass.FLUSH,
            next.bytes(),
            next.bytes(),
            flushQueue::waitingMemtables,
            this::isStopped),
        () ->
            job.run(
                next, state.liveSequences(), version -> state.install(version, next.memtable())));
  }

  /** For the I/O scheduler; takes no lock. */
  private EngineLoad load() {
    return new EngineLoad(
        writtenBytes.get(),
        flushQueue.waitingBytes(),
        options.memtableBytes() - active.sizeBytes(),
        l0Fill());
  }

  private double l0Fill() {
    return (double) versions.durable().version().tables(0).size() / options.l0CompactionTrigger();
  }

  private void lookAtTheClock() {
    if (isStopped()) {
      return;
    }
    if (scrubber.due(resources.nanoTime().getAsLong())) {
      scrubs.request();
    }
    if (options.flushAgeSeconds() > 0) {
      memory.askIfOlder(TimeUnit.SECONDS.toNanos(options.flushAgeSeconds()));
    }
    obsoleteFiles.resume();
  }

  private void scrubNext() {
    try {
      if (!isStopped()) {
        io.run(new IoJob.Description(IoClass.SCRUB, 0, 0, () -> 0, this::isStopped), scrubber::run);
      }
    } catch (EngineIoException e) {
      // Nothing was changed, so nothing is in doubt: who needs the data will meet the error.
      LOG.warn("cannot verify a table of {}", name, e);
    } catch (RuntimeException | Error e) {
      fail(e);
    }
  }

  private void foundDamage(CorruptionException cause) {
    LOG.error("{} has a damaged table, which it leaves alone", name, cause);
    notices.damaged(cause);
  }

  private void deleteObsolete() {
    if (failure.get() != null) {
      // What is on disk is doubtful: the next start finds out which files are needed.
      return;
    }
    try {
      obsoleteFiles.deletePending();
    } catch (RuntimeException | Error e) {
      fail(e);
    }
  }

  private boolean isStopped() {
    return closed.get() || failure.get() != null;
  }

  private void checkWritable() {
    EngineException cause = failure.get();
    if (cause != null) {
      throw cause;
    }
    if (closed.get()) {
      throw new EngineClosedException(name);
    }
  }

  /** Makes the engine read-only and tells the owner, once. Called without locks. */
  private void fail(Throwable cause) {
    EngineException first =
        cause instanceof EngineException engineException
            ? engineException
            : new EngineIoException("go on with " + name, new IOException(cause));
    if (closed.get() || !failure.compareAndSet(null, first)) {
      return;
    }
    versions.refuse(first);
    io.wakeStopped();
    LOG.error("{} takes no more writes", name, first);
    flushQueue.fail(first);
    notices.failed(first);
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    resources.heartbeat().remove(heartbeat);
    memory.close();
    notices.close();
    flushQueue.fail(new EngineClosedException(name));
    io.wakeStopped();
    flushes.close();
    compactions.close();
    scrubs.close();
    io.close();
    deletions.close();
    state.close();
    try {
      versions.close();
    } finally {
      obsoleteFiles.close();
    }
  }
}
