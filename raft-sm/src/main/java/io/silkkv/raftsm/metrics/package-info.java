/**
 * The Raft library's own figures, kept cheaply: counters, gauges and the count, sum and maximum of
 * each timer, without reservoirs. {@link io.silkkv.raftsm.metrics.RaftMetrics} reads them.
 */
@NullMarked
package io.silkkv.raftsm.metrics;

import org.jspecify.annotations.NullMarked;
