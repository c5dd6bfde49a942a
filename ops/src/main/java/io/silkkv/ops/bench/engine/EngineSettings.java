package io.silkkv.ops.bench.engine;

/**
 * What every system is given alike. Goes to the worker as it is.
 *
 * @param memtableBytes size at which a memtable is closed
 * @param memtables closed memtables from which on writes wait
 * @param cacheBytes size of the block cache
 * @param backgroundThreads threads for flushes and compactions together; SilkKV has three, one for
 *     each kind of work
 * @param directIo whether flushes, compactions and reads pass by the page cache
 * @param blockBytes size of a data block; 0 leaves each system its own
 * @param compression of tables
 * @param deviceBytesPerSecond what the device carries, for the policies that must know it
 */
record EngineSettings(
    long memtableBytes,
    int memtables,
    long cacheBytes,
    int backgroundThreads,
    boolean directIo,
    int blockBytes,
    TableCompression compression,
    long deviceBytesPerSecond) {

  /** Bits of the filter of each key, in every system. */
  static final int FILTER_BITS = 10;

  /** Memory of the memtables at most: the closed ones, and a new one that was just begun. */
  long memtableBudgetBytes() {
    return memtableBytes * (memtables + 1);
  }
}
