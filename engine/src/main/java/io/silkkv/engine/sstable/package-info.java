/**
 * Sorted table files: immutable runs of internal entries, written once by a flush or a compaction
 * and then only read. {@link io.silkkv.engine.sstable.SSTableFormat} describes the bytes.
 *
 * <p>Data flow: {@link io.silkkv.engine.sstable.SSTableWriter} packs entries into blocks and ends
 * the file with filter, index, properties and footer. {@link
 * io.silkkv.engine.sstable.SSTableReader} keeps index and filter in memory and takes data blocks
 * from the {@link io.silkkv.engine.cache.BlockCache} or the file. Every block is checked against
 * its checksum when it is read; whatever is damaged surfaces as {@link
 * io.silkkv.engine.api.CorruptionException}.
 */
@NullMarked
package io.silkkv.engine.sstable;

import org.jspecify.annotations.NullMarked;
