/**
 * From a closed memtable to a table on level 0, and the queue of memtables that wait for it. The
 * engine feeds the queue when it rotates and runs the jobs on the flush lane.
 */
@NullMarked
package io.silkkv.engine.flush;

import org.jspecify.annotations.NullMarked;
