package io.silkkv.engine.sstable;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.ValueKind;

/**
 * What a table says about a key: the newest entry that the reader may see.
 *
 * @param kind whether the entry sets or deletes the key
 * @param sequence sequence of the mutation that wrote it
 * @param value the bytes, empty for a deletion; stays valid for as long as the holder likes, and
 *     keeps the whole block that it lies in alive
 */
public record Found(ValueKind kind, long sequence, Slice value) {
  /** Stands for "only a file can tell". */
  public static final Found UNKNOWN = new Found(ValueKind.DELETE, -1, Slice.EMPTY);

  /** Whether this is {@link #UNKNOWN}; no entry has a negative sequence. */
  public boolean isUnknown() {
    return sequence < 0;
  }
}
