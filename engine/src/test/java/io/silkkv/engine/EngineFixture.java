package io.silkkv.engine;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.silkkv.engine.api.Compression;
import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.api.EngineException;
import io.silkkv.engine.api.EngineListener;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.StorageEngine;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.engine.cache.BlockCache;
import io.silkkv.engine.io.FileSystem;
import io.silkkv.engine.memtable.SlabPool;
import io.silkkv.engine.scheduler.BackgroundJobs;
import io.silkkv.engine.scheduler.IoScheduler;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** An engine with resources of its own, driven like a state machine would: one log entry a call. */
final class EngineFixture implements AutoCloseable {
  static final Path DIRECTORY = Path.of("/data/shards/2/engine");

  /** Small enough that a few hundred writes reach the third level; sizes on disk are as written. */
  static final EngineOptions TINY =
      EngineOptions.DEFAULTS.toBuilder()
          .memtableBytes(16 << 10)
          .blockBytes(256)
          .compression(TierCompression.all(Compression.NONE))
          .targetFileBytes(2 << 10)
          .l0CompactionTrigger(2)
          .l0StopWrites(8)
          .levelBaseBytes(4 << 10)
          .levelMultiplier(3)
          .manifestRollBytes(4 << 10)
          .build();

  /** Remembers what it was told. */
  static final class Told implements EngineListener {
    final List<LogPosition> flushed = new ArrayList<>();
    final List<EngineException> failures = new ArrayList<>();
    final List<CorruptionException> damages = new ArrayList<>();
    int flushesWanted;

    @Override
    public void flushWanted() {
      flushesWanted++;
    }

    @Override
    public void flushed(LogPosition position) {
      flushed.add(position);
    }

    @Override
    public void damaged(CorruptionException cause) {
      damages.add(cause);
    }

    @Override
    public void failed(EngineException cause) {
      failures.add(cause);
    }
  }

  final BackgroundJobs jobs;
  final SlabPool slabs = new SlabPool(8 << 20, 16 << 10);
  final BlockCache cache = new BlockCache(1 << 20);
  final AtomicLong nanoTime = new AtomicLong();
  final AtomicLong wallSeconds = new AtomicLong(1_000_000);
  final Told told = new Told();
  final EngineResources resources;
  final EngineOptions options;
  StorageEngine engine;

  EngineFixture(FileSystem files, EngineOptions options, BackgroundJobs jobs, long seed) {
    this.jobs = jobs;
    this.options = options;
    this.resources =
        new EngineResources(
            IoScheduler.unlimited("none", files),
            slabs,
            cache,
            jobs,
            nanoTime::get,
            () -> Instant.ofEpochSecond(wallSeconds.get()),
            seed);
    this.engine = LsmEngine.open(DIRECTORY, options, resources, told);
  }

  EngineFixture(FileSystem files, EngineOptions options) {
    this(files, options, BackgroundJobs.inline(), 1);
  }

  /** Closes the engine, without a flush, and opens it again. */
  void reopen() {
    engine.close();
    engine = LsmEngine.open(DIRECTORY, options, resources, told);
  }

  /** Applies a batch as the next entry of term 1. */
  @CanIgnoreReturnValue
  LogPosition write(WriteBatch batch) {
    LogPosition last = engine.applied();
    LogPosition next = new LogPosition(1, last.index() + 1, last.sequence() + batch.count());
    engine.write(batch, next);
    return next;
  }

  @CanIgnoreReturnValue
  LogPosition put(String key, String value) {
    return write(new WriteBatch().put(Slice.utf8(key), Slice.utf8(value)));
  }

  @CanIgnoreReturnValue
  LogPosition delete(String key) {
    return write(new WriteBatch().delete(Slice.utf8(key)));
  }

  @CanIgnoreReturnValue
  CompletableFuture<LogPosition> rotate(String attachment) {
    return engine.rotate(attachment.getBytes(StandardCharsets.UTF_8));
  }

  /** The value of a key, or null. */
  String get(String key) {
    var found = engine.get(Slice.utf8(key));
    return found == null ? null : found.value().toUtf8();
  }

  String attachment() {
    return new String(engine.attachment(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    engine.close();
    resources.close();
  }
}
