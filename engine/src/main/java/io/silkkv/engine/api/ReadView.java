package io.silkkv.engine.api;

import org.jspecify.annotations.Nullable;

/**
 * The state of an engine at one sequence, pinned until it is closed. Methods may be called from any
 * thread; each cursor belongs to one thread at a time. Files that only a view still needs stay on
 * disk until it is closed, so close it soon.
 */
public interface ReadView extends AutoCloseable {
  /** Sequence of the last mutation that this view shows. */
  long sequence();

  /**
   * The value of a key, or null when it is absent.
   *
   * @throws CorruptionException when a block that is needed is damaged
   */
  @Nullable VersionedValue get(Slice key);

  /**
   * A cursor over {@code [lower, upper)}; null means open on that side. It starts without position.
   */
  Cursor cursor(@Nullable Slice lower, @Nullable Slice upper);

  @Override
  void close();
}
