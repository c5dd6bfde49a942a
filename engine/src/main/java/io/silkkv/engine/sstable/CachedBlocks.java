package io.silkkv.engine.sstable;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.cache.BlockCache;
import io.silkkv.engine.io.IoClass;

/**
 * Blocks one by one, through the cache: for clients, who come back to what they read.
 *
 * @param file where blocks come from on a miss
 * @param cacheId the file's number in the cache
 * @param cache looked up first, filled after
 * @param why class of the reads
 */
record CachedBlocks(BlockFile file, long cacheId, BlockCache cache, IoClass why)
    implements BlockSource {

  @Override
  public void load(BlockHandle handle, BlockIterator target) {
    Slice block = cache.get(cacheId, handle.offset());
    if (block == null) {
      block = file.readBlock(handle, why);
      cache.put(cacheId, handle.offset(), block);
    }
    target.open(block, handle.offset());
  }
}
