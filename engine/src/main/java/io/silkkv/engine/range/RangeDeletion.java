package io.silkkv.engine.range;

import io.silkkv.engine.api.Slice;

/**
 * Every version older than a sequence, of every key in {@code [start, end)}, is deleted.
 *
 * @param start first key
 * @param end first key behind the range; greater than the start
 * @param sequence the deletion's own; versions with a smaller one are deleted
 */
public record RangeDeletion(Slice start, Slice end, long sequence) {
  public RangeDeletion {
    if (start.compareTo(end) >= 0) {
      throw new IllegalArgumentException("a range must not end at " + end + ", before " + start);
    }
  }
}
