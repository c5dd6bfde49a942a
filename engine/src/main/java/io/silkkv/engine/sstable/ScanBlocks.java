package io.silkkv.engine.sstable;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.cache.BlockCache.Kind;
import io.silkkv.engine.io.IoClass;

/**
 * Data blocks for the cursor of a client. Single ones are read through the cache. After {@value
 * #SINGLE_BLOCKS} in file order it expects more and reads ahead: 32 KiB, then twice as much each
 * time, up to 256 KiB. Beyond {@value #CACHED_BYTES} bytes in order it puts nothing into the cache
 * any more: whoever reads that much hardly comes back for it, and others would lose what they come
 * back for. What is in the cache is taken from there all the same.
 */
final class ScanBlocks implements BlockSource {
  private static final int SINGLE_BLOCKS = 2;
  private static final int FIRST_WINDOW_BYTES = 32 << 10;
  private static final long CACHED_BYTES = 256 << 10;

  private final SSTableReader table;
  private final IoClass why;
  private final ReadAheadBlocks ahead;

  /** Where the block behind the last one begins. */
  private long next = -1;

  /** Blocks in order, and their bytes, since the last jump. */
  private int blocks;

  private long bytes;

  ScanBlocks(SSTableReader table, IoClass why) {
    this.table = table;
    this.why = why;
    this.ahead = table.readAhead(why, FIRST_WINDOW_BYTES);
  }

  @Override
  public void load(BlockHandle handle, BlockIterator target) {
    if (handle.offset() != next) {
      blocks = 0;
      bytes = 0;
      ahead.restart();
    }
    if (blocks < SINGLE_BLOCKS) {
      target.open(table.block(handle, Kind.DATA, why), handle.offset());
    } else {
      loadAhead(handle, target);
    }
    next = handle.end();
    blocks++;
    bytes += handle.length();
  }

  private void loadAhead(BlockHandle handle, BlockIterator target) {
    Slice cached = table.cached(handle, Kind.DATA);
    if (cached != null) {
      target.open(cached, handle.offset());
    } else if (bytes < CACHED_BYTES) {
      target.open(table.keep(handle, Kind.DATA, ahead.copy(handle)), handle.offset());
    } else {
      ahead.load(handle, target);
    }
  }
}
