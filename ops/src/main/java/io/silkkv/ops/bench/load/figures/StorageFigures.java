package io.silkkv.ops.bench.load.figures;

import org.jspecify.annotations.Nullable;

/**
 * What an engine says about its data; null for what it does not tell.
 *
 * @param debtBytesEnd bytes that were waiting to be flushed or compacted when the load ended
 * @param drainSeconds how long that took afterwards without load
 * @param writeAmp bytes written to files (logs included) per byte of keys and values put
 * @param readAmp bytes read from files for gets and scans per byte of values returned
 * @param spaceAmp bytes of all files per byte of live keys and values
 */
public record StorageFigures(
    @Nullable Long debtBytesEnd,
    @Nullable Double drainSeconds,
    @Nullable Double writeAmp,
    @Nullable Double readAmp,
    @Nullable Double spaceAmp) {
  /** Nothing is known. */
  public static final StorageFigures UNKNOWN = new StorageFigures(null, null, null, null, null);
}
