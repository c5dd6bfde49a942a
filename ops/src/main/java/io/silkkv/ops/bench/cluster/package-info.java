/**
 * {@code bench cluster}: the same load against SilkKV and its peers in one run. Every system is
 * three server processes on loopback ({@link io.silkkv.ops.bench.cluster.ClusterSystem}) and one
 * load generator in a process of its own ({@link io.silkkv.ops.bench.cluster.ClusterWorker}),
 * because only a peer's client may see the peer's libraries. {@link
 * io.silkkv.ops.bench.cluster.ClusterBench} drives them: all clusters are up all the time, one is
 * under load at a time, and they take turns.
 *
 * <pre>
 * ClusterBench --lines--> ClusterWorker --> load (OpenLoop, ClosedLoop) --> ClusterTarget --> servers
 *      |    <--progress, Measurement--+                                                          |
 *      +-- kill, pause, restart, CPU and memory of the servers: ClusterSystem -------------------+
 * </pre>
 */
@NullMarked
package io.silkkv.ops.bench.cluster;

import org.jspecify.annotations.NullMarked;
