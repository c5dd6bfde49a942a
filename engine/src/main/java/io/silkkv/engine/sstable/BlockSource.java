package io.silkkv.engine.sstable;

/** Where an iterator gets its data blocks from. Belongs to one iterator; not thread-safe. */
sealed interface BlockSource permits CachedBlocks, ReadAheadBlocks, ScanBlocks {
  /** Points {@code target} at a block that lies within the data of the table. */
  void load(BlockHandle handle, BlockIterator target);
}
