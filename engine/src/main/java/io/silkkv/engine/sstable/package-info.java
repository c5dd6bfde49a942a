/**
 * Sorted table files: immutable runs of internal entries, written once by a flush or a compaction
 * and then only read. {@link io.silkkv.engine.sstable.SSTableFormat} describes the bytes.
 *
 * <p>Data flow: {@link io.silkkv.engine.sstable.SSTableWriter} packs entries into blocks, {@link
 * io.silkkv.engine.sstable.PartitionWriter} gathers index and filter partitions for them, and the
 * file ends with these, a top index, properties and footer. {@link
 * io.silkkv.engine.sstable.SSTableReader} keeps the top index in memory and takes all else from the
 * {@link io.silkkv.engine.cache.BlockCache} or the file: a lookup goes from the top index to a
 * filter, an index and a data block. Every block is checked against its checksum and unpacked when
 * it is read; whatever is damaged surfaces as {@link io.silkkv.engine.api.CorruptionException}.
 */
@NullMarked
package io.silkkv.engine.sstable;

import org.jspecify.annotations.NullMarked;
