/**
 * Blocks of table files in memory: one {@link io.silkkv.engine.cache.BlockCache} per node, shared
 * by all its engines. Tables look here before they read a file, and put in what they read for
 * clients; compactions pass by. Knows nothing of what a block means.
 */
@NullMarked
package io.silkkv.engine.cache;

import org.jspecify.annotations.NullMarked;
