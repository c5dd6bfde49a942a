/**
 * How the memtables and the current version look to a reader: the published state, views pinned at
 * a sequence, point lookups and cursors over live keys. The engine installs new states here after
 * rotations, flushes and compactions.
 */
@NullMarked
package io.silkkv.engine.read;

import org.jspecify.annotations.NullMarked;
