/**
 * Deletions of key ranges: one value for any number of them, as memtables, tables and readers hold
 * it, and its bytes in a table.
 */
@NullMarked
package io.silkkv.engine.range;

import org.jspecify.annotations.NullMarked;
