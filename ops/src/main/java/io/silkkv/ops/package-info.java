/**
 * Around the cluster: the command line, local clusters, fault injection, history checking and
 * benchmarks. It drives nodes and clients; nothing depends on it.
 */
@NullMarked
package io.silkkv.ops;

import org.jspecify.annotations.NullMarked;
