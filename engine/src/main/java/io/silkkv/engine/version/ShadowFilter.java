package io.silkkv.engine.version;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.range.RangeDeletions;
import org.jspecify.annotations.Nullable;

/**
 * Decides, for entries that come in internal order, which versions nobody can see any more: those
 * that a newer version of the key hides from every reader, or a deletion of a range that the key is
 * in. Used by flushes and compactions alike. Not thread-safe.
 */
public final class ShadowFilter {
  private final LiveSequences live;
  private final RangeDeletions ranges;
  private @Nullable Slice lastKey;
  private long lastSequence;
  private boolean sameKey;

  /**
   * @param ranges all range deletions among what the entries come from
   */
  public ShadowFilter(LiveSequences live, RangeDeletions ranges) {
    this.live = live;
    this.ranges = ranges;
  }

  /**
   * Whether an entry is hidden from every reader. Has to be asked for every entry, in order.
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
    return hidden || hiddenByRange(key, sequence);
  }

  private boolean hiddenByRange(Slice key, long sequence) {
    long deleted = ranges.isEmpty() ? 0 : ranges.oldestAfter(key, sequence);
    return deleted > 0 && live.hides(deleted, sequence);
  }

  /** Whether the last entry had the same key as the one before it. */
  public boolean sameKeyAsBefore() {
    return sameKey;
  }

  /** Range deletions without those that a newer one of the same keys hides from every reader. */
  public static RangeDeletions visible(RangeDeletions ranges, LiveSequences live) {
    return ranges.filter(
        (start, end, newer, sequence) -> newer == 0 || !live.hides(newer, sequence));
  }
}
