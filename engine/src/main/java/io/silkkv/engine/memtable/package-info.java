/**
 * The newest entries of an engine, in memory: between {@code StorageEngine.write}, which adds to
 * the active memtable, and the flush, which writes a closed one to a table. All memtables of a node
 * draw their slabs from one {@link io.silkkv.engine.memtable.SlabPool}.
 */
@NullMarked
package io.silkkv.engine.memtable;

import org.jspecify.annotations.NullMarked;
