package io.silkkv.node.shard;

import io.silkkv.engine.api.Cursor;
import io.silkkv.engine.api.EngineException;
import io.silkkv.engine.api.EngineStats;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.Probe;
import io.silkkv.engine.api.ReadView;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.StorageEngine;
import io.silkkv.engine.api.VersionedValue;
import io.silkkv.engine.api.WriteBatch;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A sorted map with the face of an engine. Whether memory or "files" answer can be chosen. */
public final class MemoryEngine implements StorageEngine {
  private final ConcurrentSkipListMap<Slice, VersionedValue> live = new ConcurrentSkipListMap<>();
  private long sequence;

  public volatile boolean inFiles;
  public volatile @Nullable EngineException readFailure;

  /** When set, reads of "files" wait for it. */
  public volatile @Nullable CountDownLatch readGate;

  public final AtomicInteger fileReads = new AtomicInteger();
  public final AtomicInteger openViews = new AtomicInteger();

  public synchronized long apply(WriteBatch batch) {
    for (WriteBatch.Mutation mutation : batch.mutations()) {
      sequence++;
      if (mutation instanceof WriteBatch.Put put) {
        live.put(put.key().copy(), new VersionedValue(put.value().copy(), sequence));
      } else if (mutation instanceof WriteBatch.DeleteRange range) {
        live.subMap(range.start(), range.end()).clear();
      } else {
        live.remove(mutation.key());
      }
    }
    return sequence;
  }

  public long put(String key, String value) {
    return apply(new WriteBatch().put(Slice.utf8(key), Slice.utf8(value)));
  }

  @Override
  public void write(WriteBatch batch, LogPosition position) {
    apply(batch);
  }

  @Override
  public boolean wantsRotation() {
    return false;
  }

  @Override
  public CompletableFuture<LogPosition> rotate(byte[] attachment) {
    return CompletableFuture.completedFuture(applied());
  }

  @Override
  public boolean acceptsWrites() {
    return true;
  }

  @Override
  public @Nullable VersionedValue get(Slice key) {
    fileReads.incrementAndGet();
    touchFiles();
    return live.get(key);
  }

  @Override
  public Probe probe(Slice key) {
    if (inFiles) {
      return new Probe.Unknown();
    }
    VersionedValue value = live.get(key);
    return value == null ? new Probe.Absent() : new Probe.Found(value);
  }

  @Override
  public ReadView view() {
    touchFiles();
    openViews.incrementAndGet();
    return new View(new TreeMap<>(live));
  }

  private void touchFiles() {
    CountDownLatch gate = readGate;
    if (gate != null) {
      try {
        gate.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    EngineException failure = readFailure;
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public LogPosition applied() {
    return new LogPosition(1, sequence, sequence);
  }

  @Override
  public LogPosition flushed() {
    return LogPosition.NONE;
  }

  @Override
  public byte[] attachment() {
    return new byte[0];
  }

  @Override
  public LogPosition checkpoint(Path target) {
    return LogPosition.NONE;
  }

  @Override
  public EngineStats stats() {
    return new EngineStats(
        List.of(new EngineStats.Level(0, 1, 100, 0, 10, 0, 100)),
        live.size(),
        0,
        1,
        2,
        3,
        4,
        openViews.get(),
        0,
        6,
        5,
        0,
        0);
  }

  @Override
  public void close() {}

  private final class View implements ReadView {
    private final NavigableMap<Slice, VersionedValue> map;

    View(NavigableMap<Slice, VersionedValue> map) {
      this.map = map;
    }

    @Override
    public long sequence() {
      return sequence;
    }

    @Override
    public @Nullable VersionedValue get(Slice key) {
      return map.get(key);
    }

    @Override
    public Cursor cursor(@Nullable Slice lower, @Nullable Slice upper) {
      NavigableMap<Slice, VersionedValue> part = map;
      if (lower != null) {
        part = part.tailMap(lower, true);
      }
      if (upper != null) {
        part = part.headMap(upper, false);
      }
      return new MapCursor(part);
    }

    @Override
    public void close() {
      openViews.decrementAndGet();
    }
  }

  private static final class MapCursor implements Cursor {
    private final NavigableMap<Slice, VersionedValue> map;
    private @Nullable Slice at;

    MapCursor(NavigableMap<Slice, VersionedValue> map) {
      this.map = map;
    }

    @Override
    public boolean valid() {
      return at != null;
    }

    @Override
    public void first() {
      at = map.isEmpty() ? null : map.firstKey();
    }

    @Override
    public void last() {
      at = map.isEmpty() ? null : map.lastKey();
    }

    @Override
    public void seek(Slice key) {
      at = map.ceilingKey(key);
    }

    @Override
    public void seekForPrev(Slice key) {
      at = map.floorKey(key);
    }

    @Override
    public void next() {
      at = map.higherKey(at);
    }

    @Override
    public void prev() {
      at = map.lowerKey(at);
    }

    @Override
    public Slice key() {
      return at;
    }

    @Override
    public Slice value() {
      return map.get(at).value();
    }

    @Override
    public long version() {
      return map.get(at).version();
    }

    @Override
    public void close() {}
  }
}
