package io.silkkv.ops.bench.engine;

import io.silkkv.ops.bench.load.LoadTarget;
import java.util.SortedMap;

/**
 * A storage engine in this process that is loaded and looked into. Its methods here may be called
 * beside the load.
 */
interface MeasuredEngine extends LoadTarget {

  /**
   * Counts since the engine was opened.
   *
   * @param writtenBytes bytes that flushes and compactions wrote
   * @param clientReadBytes bytes of blocks that gets and scans did not find in the cache
   * @param stallNanos time in which the engine made writes wait
   * @param bytesByClass bytes read and written by class of traffic
   */
  record Counters(
      long writtenBytes,
      long clientReadBytes,
      long stallNanos,
      SortedMap<String, Long> bytesByClass) {}

  Counters counters() throws Exception;

  /** Bytes that wait to be flushed or compacted now. */
  long debtBytes() throws Exception;

  /** Whether no background work runs or waits. */
  boolean isSettled() throws Exception;

  /** Whether background work is off, so that waiting for it would not end. */
  default boolean debtNeverShrinks() {
    return false;
  }

  /** Called once, between the warm-up and the measured phase, when the tree has settled. */
  default void beforeMeasuring() throws Exception {}

  /** What the engine says that it runs with. */
  SortedMap<String, String> effectiveOptions() throws Exception;
}
