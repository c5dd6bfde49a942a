/**
 * The load generator. A {@link io.silkkv.ops.bench.load.Schedule} fixes beforehand when each
 * operation is to be sent; {@link io.silkkv.ops.bench.load.OpenLoop} sends them to a target and
 * hands every outcome to the {@link io.silkkv.ops.bench.load.Recorder}, which counts latency from
 * the intended time. {@link io.silkkv.ops.bench.load.ClosedLoop} finds the maximum rate and fills.
 */
@NullMarked
package io.silkkv.ops.bench.load;

import org.jspecify.annotations.NullMarked;
