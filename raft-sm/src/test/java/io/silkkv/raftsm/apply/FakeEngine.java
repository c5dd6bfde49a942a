package io.silkkv.raftsm.apply;

import io.silkkv.engine.api.EngineClosedException;
import io.silkkv.engine.api.EngineListener;
import io.silkkv.engine.api.EngineStats;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.Probe;
import io.silkkv.engine.api.ReadView;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.StorageEngine;
import io.silkkv.engine.api.VersionedValue;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.engine.api.WriteBatch.Mutation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** An engine in memory. What it flushed is on its disk, from which another one can be opened. */
class FakeEngine implements StorageEngine {
  /** What survives the engine. */
  static final class Disk {
    private TreeMap<Slice, VersionedValue> data = new TreeMap<>();
    private LogPosition flushed = LogPosition.NONE;
    private byte[] attachment = new byte[0];

    LogPosition flushed() {
      return flushed;
    }

    Disk copy() {
      Disk copy = new Disk();
      copy.data = new TreeMap<>(data);
      copy.flushed = flushed;
      copy.attachment = attachment;
      return copy;
    }
  }

  private record Flush(Disk image, CompletableFuture<LogPosition> done) {}

  private final Disk disk;
  private final EngineListener listener;
  private final TreeMap<Slice, VersionedValue> data;
  private final List<Flush> flushes = new ArrayList<>();
  private LogPosition applied;
  private boolean closed;
  boolean flushAtOnce = true;
  boolean wantsRotation;
  boolean acceptsWrites = true;
  int rotations;

  FakeEngine(Disk disk, EngineListener listener) {
    this.disk = disk;
    this.listener = listener;
    this.data = new TreeMap<>(disk.data);
    this.applied = disk.flushed;
  }

  Map<Slice, VersionedValue> data() {
    return data;
  }

  /** Makes everything that was rotated durable. */
  void finishFlushes() {
    for (Flush flush : flushes) {
      disk.data = flush.image().data;
      disk.flushed = flush.image().flushed;
      disk.attachment = flush.image().attachment;
      listener.flushed(disk.flushed);
      flush.done().complete(disk.flushed);
    }
    flushes.clear();
  }

  @Override
  public void write(WriteBatch batch, LogPosition position) {
    requireOpen();
    if (position.index() <= applied.index()
        || position.sequence() != applied.sequence() + batch.count()) {
      throw new IllegalArgumentException(position + " does not follow " + applied);
    }
    long sequence = applied.sequence();
    for (Mutation mutation : batch.mutations()) {
      sequence++;
      if (mutation instanceof WriteBatch.Put put) {
        data.put(put.key().copy(), new VersionedValue(put.value().copy(), sequence));
      } else if (mutation instanceof WriteBatch.DeleteRange range) {
        data.subMap(range.start(), range.end()).clear();
      } else {
        data.remove(mutation.key());
      }
    }
    applied = position;
  }

  @Override
  public boolean wantsRotation() {
    return wantsRotation;
  }

  @Override
  public CompletableFuture<LogPosition> rotate(byte[] attachment) {
    requireOpen();
    rotations++;
    wantsRotation = false;
    CompletableFuture<LogPosition> done = new CompletableFuture<>();
    Disk image = new Disk();
    image.data = new TreeMap<>(data);
    image.flushed = applied;
    image.attachment = attachment;
    flushes.add(new Flush(image, done));
    if (flushAtOnce) {
      finishFlushes();
    }
    return done;
  }

  @Override
  public boolean acceptsWrites() {
    return acceptsWrites;
  }

  @Override
  public VersionedValue get(Slice key) {
    requireOpen();
    return data.get(key);
  }

  @Override
  public Probe probe(Slice key) {
    VersionedValue value = get(key);
    return value == null ? new Probe.Unknown() : new Probe.Found(value);
  }

  @Override
  public ReadView view() {
    throw new IllegalStateException("the fake has no views");
  }

  @Override
  public LogPosition applied() {
    return applied;
  }

  @Override
  public LogPosition flushed() {
    return disk.flushed;
  }

  @Override
  public byte[] attachment() {
    return disk.attachment;
  }

  @Override
  public LogPosition checkpoint(Path target) {
    throw new IllegalStateException("the fake has no checkpoints");
  }

  @Override
  public EngineStats stats() {
    return new EngineStats(List.of(), 0, flushes.size(), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  @Override
  public void close() {
    closed = true;
  }

  private void requireOpen() {
    if (closed) {
      throw new EngineClosedException("fake engine");
    }
  }
}
