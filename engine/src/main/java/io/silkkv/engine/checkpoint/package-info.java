/**
 * Copies of an engine's durable state that share its table files by hard link. The raft-sm transfer
 * ships them to other nodes; an engine opens them like any other directory.
 */
@NullMarked
package io.silkkv.engine.checkpoint;

import org.jspecify.annotations.NullMarked;
