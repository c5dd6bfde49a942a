package io.silkkv.ops.bench.load.figures;

import io.silkkv.ops.bench.load.data.OpKind;

/**
 * All operations of one kind in the measured phase. Latencies are in nanoseconds, exact to 0.1 %;
 * in an open loop they count from the intended send time.
 *
 * @param offeredPerSecond operations that were due, per second of the schedule; in a closed loop
 *     those that were sent
 * @param opsPerSecond operations that succeeded, per second from the start to the last answer
 * @param count operations in the latency figures: those that succeeded, and those that had no
 *     answer when the run ended, which count with the time that they had waited by then
 * @param errors operations that failed; their latency is in no figure
 * @param unanswered operations that were due but not answered (or not even sent) when the run
 *     ended: with any of them, the high percentiles are lower bounds
 * @param badSeconds seconds whose p99 is over ten times that of the median second
 * @param stallNanos sum of all times of at least 100 ms in which an operation of this kind was due
 *     and none of this kind was answered
 */
public record OpFigures(
    OpKind op,
    double offeredPerSecond,
    double opsPerSecond,
    long count,
    long errors,
    long unanswered,
    long p50,
    long p90,
    long p99,
    long p999,
    long p9999,
    long max,
    int badSeconds,
    long stallNanos) {}
