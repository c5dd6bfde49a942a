package io.silkkv.engine.version;

import io.silkkv.engine.api.Slice;
import org.jspecify.annotations.Nullable;

/**
 * Decides, for entries that come in internal order, which versions nobody can see any more. Used by
 * flushes and compactions alike. Not thread-safe.
 */
public final class ShadowFilter {
  private final LiveSequences live;
  private @Nullable Slice lastKey;
  private long lastSequence;
  private boolean sameKey;

  public ShadowFilter(LiveSequences live) {
    this.live = live;
  }

  /**
   * Whether an entry is hidden by the one before it for every reader. Has to be asked for every
   * entry, in order.
   *
   * @param key may be reused by the caller afterwards
   */
  public boolean hides(Slice key, long sequence) {
    sameKey = lastKey != null && key.equals(lastKey);
    boolean hidden = sameKey && live.hides(lastSequence, sequence);
    if (!sameKey) {
      lastKey = key.copy();
    }
    lastSequence = sequence;
    return hidden;
  }

  /** Whether the last entry had the same key as the one before it. */
  public boolean sameKeyAsBefore() {
    return sameKey;
  }
}
