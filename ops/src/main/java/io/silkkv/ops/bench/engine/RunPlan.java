package io.silkkv.ops.bench.engine;

import io.silkkv.ops.bench.load.Schedule;

/**
 * How a system is measured; the same for all. Goes to the worker as it is.
 *
 * @param closed whether threads ask again as soon as they have an answer, instead of by a schedule
 * @param threads that send operations
 * @param seconds length of the measured phase
 * @param operations bound on their count
 * @param arrivals how operations lie in time
 * @param prefillBytes keys and values that are there before
 * @param warmUpSeconds load before the measured phase
 * @param settleSeconds how long to wait at most until the tree has settled before the measured
 *     phase
 * @param drainSeconds how long to wait at most until it has settled after it
 * @param compressedShare what a compressor leaves of a value, 0 to 1
 * @param seed of everything that is drawn
 */
record RunPlan(
    boolean closed,
    int threads,
    double seconds,
    long operations,
    Schedule.Arrivals arrivals,
    long prefillBytes,
    double warmUpSeconds,
    double settleSeconds,
    double drainSeconds,
    double compressedShare,
    long seed) {}
