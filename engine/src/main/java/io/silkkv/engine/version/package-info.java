/**
 * Which table files make up the tree, now and after a crash: immutable versions in memory, the
 * manifest and CURRENT on disk, and the reference counts that decide when a file may go. Flushes
 * and compactions hand their results in as edits; reads and checkpoints pin versions.
 */
@NullMarked
package io.silkkv.engine.version;

import org.jspecify.annotations.NullMarked;
