package io.silkkv.engine.read;

import io.silkkv.engine.api.Probe;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.VersionedValue;
import io.silkkv.engine.base.ValueKind;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.iterator.InternalIterator;
import io.silkkv.engine.iterator.MergingIterator;
import io.silkkv.engine.memtable.MemTable;
import io.silkkv.engine.range.RangeDeletions;
import io.silkkv.engine.sstable.Found;
import io.silkkv.engine.version.Version;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Memtables and tables that together hold everything. Keeps a reference to each of its parts and is
 * itself counted: one reference of its publisher, one of each reader. Immutable but for the count
 * and for what the writer adds to the active memtable. Thread-safe.
 */
final class ReadState {
  private static final Probe UNKNOWN = new Probe.Unknown();
  private static final Probe ABSENT = new Probe.Absent();

  /** Newest first; the first one is written to. */
  private final List<MemTable> memtables;

  private final Version version;
  private final AtomicInteger references = new AtomicInteger(1);

  ReadState(List<MemTable> memtables, Version version) {
    this.memtables = List.copyOf(memtables);
    this.version = version;
    this.memtables.forEach(MemTable::retain);
    version.retain();
  }

  List<MemTable> memtables() {
    return memtables;
  }

  Version version() {
    return version;
  }

  /** The newest value of a key that is not newer than a sequence. */
  @Nullable VersionedValue get(Slice key, long sequence, IoClass why) {
    Found found = inMemtables(key, sequence);
    return value(found != null ? found : version.get(key, sequence, why));
  }

  /** {@link #get} of several keys, in their order. Blocks that they share are read once. */
  List<@Nullable VersionedValue> getAll(List<Slice> keys, long sequence, IoClass why) {
    List<Integer> order = new ArrayList<>(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      order.add(i);
    }
    order.sort(Comparator.comparing(keys::get));
    List<Slice> sorted = order.stream().map(keys::get).toList();
    @Nullable Found[] found = new Found[keys.size()];
    for (int i = 0; i < found.length; i++) {
      found[i] = inMemtables(sorted.get(i), sequence);
    }
    version.getAll(sorted, found, sequence, why);
    @Nullable VersionedValue[] values = new VersionedValue[keys.size()];
    for (int i = 0; i < found.length; i++) {
      values[order.get(i)] = value(found[i]);
    }
    return Arrays.asList(values);
  }

  private @Nullable Found inMemtables(Slice key, long sequence) {
    for (MemTable memtable : memtables) {
      MemTable.Entry entry = memtable.get(key, sequence);
      if (entry != null) {
        return new Found(entry.kind(), entry.sequence(), entry.value());
      }
    }
    return null;
  }

  private static @Nullable VersionedValue value(@Nullable Found found) {
    return found == null || found.kind() == ValueKind.DELETE
        ? null
        : new VersionedValue(found.value(), found.sequence());
  }

  /** What memtables and cached blocks say. */
  Probe probe(Slice key, long sequence) {
    Found found = inMemtables(key, sequence);
    if (found == null) {
      found = version.probe(key, sequence);
    }
    if (found != null && found.isUnknown()) {
      return UNKNOWN;
    }
    VersionedValue value = value(found);
    return value == null ? ABSENT : new Probe.Found(value);
  }

  /** The range deletions of all parts, where there are any. */
  List<RangeDeletions> ranges() {
    List<RangeDeletions> all = new ArrayList<>();
    memtables.forEach(memtable -> all.add(memtable.ranges()));
    all.add(version.ranges());
    all.removeIf(RangeDeletions::isEmpty);
    return all;
  }

  /**
   * All entries of {@code [lower, upper)}, and perhaps others. The caller keeps this state until
   * the iterator is closed.
   */
  MergingIterator iterator(@Nullable Slice lower, @Nullable Slice upper, IoClass why) {
    List<InternalIterator> parts = new ArrayList<>();
    memtables.forEach(memtable -> parts.add(memtable.iterator()));
    parts.addAll(version.iterators(lower, upper, why, true));
    return new MergingIterator(parts);
  }

  /** Takes a reference unless the last one is gone already. */
  boolean tryRetain() {
    int seen = references.get();
    while (seen > 0) {
      if (references.compareAndSet(seen, seen + 1)) {
        return true;
      }
      seen = references.get();
    }
    return false;
  }

  void release() {
    int left = references.decrementAndGet();
    if (left < 0) {
      throw new IllegalStateException("a read state is released more often than retained");
    }
    if (left == 0) {
      memtables.forEach(MemTable::release);
      version.release();
    }
  }
}
