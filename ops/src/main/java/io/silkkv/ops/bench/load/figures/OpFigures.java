package io.silkkv.ops.bench.load.figures;

import io.silkkv.ops.bench.load.data.OpKind;

/**
 * All operations of one kind in the measured phase. Latencies are in nanoseconds, exact to 0.1 %;
 * in an open loop they count from the intended send time.
 *
 * @param offeredPerSecond operations that were due, per second of the schedule; in a closed loop
 *     those that were sent
 * @param opsPerSecond operations that succeeded, per second from the start to the last answer
 * @param count operations in the latency figures: all that were due. One that failed counts with
 *     the time until the next success of its kind, as its user would have waited who asks again;
 *     one that had no answer when the run ended, with the time that it had waited by then
 * @param errors operations that failed
 * @param unanswered operations that were due but not answered (or not even sent) when the run
 *     ended: with any of them, and with failures until the end, high percentiles are lower bounds
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
