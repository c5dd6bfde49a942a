package io.silkkv.engine.version;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.ValueKind;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.iterator.InternalIterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries of tables that are ordered by key and do not overlap, one table open at a time. The
 * caller keeps the tables' version while it iterates. Not thread-safe.
 */
public final class LevelIterator implements InternalIterator {
  private final List<TableFile> tables;
  private final List<TableMetadata> shape;
  private final IoClass why;
  private final boolean fillCache;

  private int at = -1;
  private @Nullable InternalIterator current;

  /**
   * @param shape what the tables are, ordered by key, disjoint
   * @param tables the open tables, in the same order
   * @param why class of the reads
   * @param fillCache whether blocks that are read should stay in the block cache
   */
  public LevelIterator(
      List<TableMetadata> shape, List<TableFile> tables, IoClass why, boolean fillCache) {
    this.shape = shape;
    this.tables = tables;
    this.why = why;
    this.fillCache = fillCache;
  }

  @Override
  public boolean valid() {
    return current != null && current.valid();
  }

  @Override
  public void seekToFirst() {
    if (enter(0)) {
      table().seekToFirst();
      skipEmptyForward();
    }
  }

  @Override
  public void seekToLast() {
    if (enter(tables.size() - 1)) {
      table().seekToLast();
      skipEmptyBackward();
    }
  }

  @Override
  public void seek(Slice userKey, long sequence) {
    if (enter(Levels.firstEndingAtOrAfter(shape, userKey))) {
      table().seek(userKey, sequence);
      skipEmptyForward();
    }
  }

  @Override
  public void seekForPrev(Slice userKey, long sequence) {
    int first = Levels.firstEndingAtOrAfter(shape, userKey);
    boolean reachesKey =
        first < shape.size() && shape.get(first).smallest().compareTo(userKey) <= 0;
    if (enter(reachesKey ? first : first - 1)) {
      table().seekForPrev(userKey, sequence);
      skipEmptyBackward();
    }
  }

  @Override
  public void next() {
    table().next();
    skipEmptyForward();
  }

  @Override
  public void prev() {
    table().prev();
    skipEmptyBackward();
  }

  @Override
  public Slice key() {
    return table().key();
  }

  @Override
  public long sequence() {
    return table().sequence();
  }

  @Override
  public ValueKind kind() {
    return table().kind();
  }

  @Override
  public Slice value() {
    return table().value();
  }

  @Override
  public void close() {
    leave();
  }

  private void skipEmptyForward() {
    while (!table().valid() && enter(at + 1)) {
      table().seekToFirst();
    }
  }

  private void skipEmptyBackward() {
    while (!table().valid() && enter(at - 1)) {
      table().seekToLast();
    }
  }

  /** Opens a table; without one of that index the iterator has no position any more. */
  private boolean enter(int index) {
    if (index < 0 || index >= tables.size()) {
      leave();
      return false;
    }
    if (index != at || current == null) {
      leave();
      current = tables.get(index).reader().iterator(why, fillCache);
      at = index;
    }
    return true;
  }

  private void leave() {
    if (current != null) {
      current.close();
      current = null;
    }
    at = -1;
  }

  private InternalIterator table() {
    if (current == null) {
      throw new IllegalStateException("the iterator has no position");
    }
    return current;
  }
}
