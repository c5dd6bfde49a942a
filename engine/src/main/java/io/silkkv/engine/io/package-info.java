/**
 * The border to the disk. Every file operation of the engine, the checkpoint transfer and the
 * node's data directory goes through {@link io.silkkv.engine.io.FileSystem} and says why it happens
 * ({@link io.silkkv.engine.io.IoClass}), so that bytes can be counted and scheduled per class, and
 * so that tests can put a crashing or failing twin in its place. Tables bypass the page cache where
 * that is possible ({@link io.silkkv.engine.io.DirectIo}), because the engine caches their blocks.
 */
@NullMarked
package io.silkkv.engine.io;

import org.jspecify.annotations.NullMarked;
