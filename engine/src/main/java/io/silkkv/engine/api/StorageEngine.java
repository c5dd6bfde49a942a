package io.silkkv.engine.api;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The LSM tree of one replica. It has no log of its own: what is not flushed when the process ends
 * is gone, and the owner replays its Raft log from {@link #flushed()} on.
 *
 * <p>{@link #write} and {@link #rotate} have one caller at a time (the owner serializes them); all
 * other methods may be called from any thread.
 */
public interface StorageEngine extends AutoCloseable {
  /**
   * Applies the edits of one log entry. They get the sequences {@code position.sequence() -
   * batch.count() + 1 .. position.sequence()} in order and become visible together. An empty batch
   * just moves the position. Never waits for a file; it waits for memory only beyond twice the
   * node's memtable budget, and then only while somebody else can free some.
   *
   * @throws IllegalArgumentException when the position does not follow {@link #applied()}
   * @throws IllegalStateException when it would wait for memory that only waiting writes hold: the
   *     budget is too small, and the engine is read-only from now on
   * @throws EngineException when a background failure has made the engine read-only
   */
  void write(WriteBatch batch, LogPosition position);

  /**
   * Whether the owner should call {@link #rotate}: the memtable is full or its memory is wanted.
   */
  boolean wantsRotation();

  /**
   * Closes the current memtable at {@link #applied()} and queues its flush. The attachment (opaque
   * bytes that describe the owner's state at exactly that position) becomes durable in the same
   * manifest edit as the data. When nothing was written since the last rotation but the position
   * moved, only the edit is written.
   *
   * @return completes with the position when it is durable; exceptionally when the flush failed
   */
  CompletableFuture<LogPosition> rotate(byte[] attachment);

  /**
   * Whether a leader should admit new writes: false while memtable memory is used up or too many L0
   * files wait for compaction. Advisory; {@link #write} works regardless.
   */
  boolean acceptsWrites();

  /** The newest value of a key, or null when it is absent. May read files. */
  @Nullable VersionedValue get(Slice key);

  /**
   * The newest values of several keys, all as of one moment, in the order of the keys; null for
   * what is absent. May read files, each block once.
   */
  default List<@Nullable VersionedValue> getAll(List<Slice> keys) {
    try (ReadView view = view()) {
      List<@Nullable VersionedValue> values = new ArrayList<>(keys.size());
      for (Slice key : keys) {
        values.add(view.get(key));
      }
      return values;
    }
  }

  /** What memtables and cached blocks say about a key. Never reads files. */
  Probe probe(Slice key);

  /** Pins the state as of now. */
  ReadView view();

  /** How far the log is reflected in memory. */
  LogPosition applied();

  /** How far the log is reflected in durable files. Never goes back. */
  LogPosition flushed();

  /** The attachment stored with {@link #flushed()}; empty when there is none. */
  byte[] attachment();

  /**
   * Links every file of the durable state (position {@link #flushed()}) into a new directory, from
   * which an engine can be opened. The target must not exist and must be on the same file system.
   *
   * @return the position that the checkpoint holds
   */
  LogPosition checkpoint(Path target);

  /** Figures of this moment. */
  EngineStats stats();

  /** Stops background jobs at their next safe point and releases all resources. Does not flush. */
  @Override
  void close();
}
