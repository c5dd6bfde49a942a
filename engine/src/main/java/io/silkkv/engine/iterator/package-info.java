/**
 * Iteration over internal entries: the shape that memtables and tables share, and the merge that
 * reads, flushes and compactions are built on.
 */
@NullMarked
package io.silkkv.engine.iterator;

import org.jspecify.annotations.NullMarked;
