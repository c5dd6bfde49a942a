package io.silkkv.engine.sstable;

import io.silkkv.engine.cache.BlockCache.Kind;
import io.silkkv.engine.io.IoClass;

/**
 * Blocks one by one, through the cache: for clients, who come back to what they read.
 *
 * @param table whose blocks they are
 * @param kind of all of them
 * @param why class of the reads
 */
record CachedBlocks(SSTableReader table, Kind kind, IoClass why) implements BlockSource {
  @Override
  public void load(BlockHandle handle, BlockIterator target) {
    target.open(table.block(handle, kind, why), handle.offset());
  }
}
