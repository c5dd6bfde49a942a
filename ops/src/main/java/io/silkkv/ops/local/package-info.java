/**
 * Clusters of node processes on this machine: their files, their start, and the ways to hurt them
 * that fault tests need. Settings come in through {@link io.silkkv.ops.local.ClusterSpec}, files
 * are known to {@link io.silkkv.ops.local.ClusterDirectory} alone, and {@link
 * io.silkkv.ops.local.LocalCluster} drives one {@link io.silkkv.ops.local.NodeProcess} per node.
 */
@NullMarked
package io.silkkv.ops.local;

import org.jspecify.annotations.NullMarked;
