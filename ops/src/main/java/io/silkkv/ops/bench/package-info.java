/**
 * Load in a closed loop and the comparison with etcd. The same loop drives both; each side runs in
 * its own child process, because only etcd's client may see etcd's libraries.
 */
@NullMarked
package io.silkkv.ops.bench;

import org.jspecify.annotations.NullMarked;
