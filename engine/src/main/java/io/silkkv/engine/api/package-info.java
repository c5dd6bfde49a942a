/**
 * What callers may do with an engine, and the values that cross its border. A leaf: it imports
 * nothing from the rest of the engine. The Raft state machine writes and rotates through {@link
 * io.silkkv.engine.api.StorageEngine}; the node reads through it and through {@link
 * io.silkkv.engine.api.ReadView}.
 */
@NullMarked
package io.silkkv.engine.api;

import org.jspecify.annotations.NullMarked;
