/**
 * Blocks of table files in memory: one {@link io.silkkv.engine.cache.BlockCache} per node, shared
 * by all its engines. Tables look here before they read a file, and put in what they read for
 * clients; compactions and long scans pass by. Knows of a block only whether it is data, or an
 * index or filter that leads to data and stays longer.
 */
@NullMarked
package io.silkkv.engine.cache;

import org.jspecify.annotations.NullMarked;
