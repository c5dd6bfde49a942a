/**
 * Where a request starts: the library that applications use to reach a cluster. It routes by the
 * shard map of {@code router} and talks to nodes; the server side is invisible to it.
 */
@NullMarked
package io.silkkv.client;

import org.jspecify.annotations.NullMarked;
