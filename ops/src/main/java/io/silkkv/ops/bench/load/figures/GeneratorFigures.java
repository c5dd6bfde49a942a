package io.silkkv.ops.bench.load.figures;

/**
 * How well the load generator did its own work. Nanoseconds.
 *
 * @param latenessP50 how long after an operation was due, and a thread or slot was free for it, it
 *     was sent. This is the generator's fault, or that of a machine too busy to run it. Waiting for
 *     a free thread or slot is the system's, but for the share that the generator had in it; a
 *     pause of the JVM is the system's too when that is an engine in the same process
 * @param behind share (0 to 1) of operations that found all threads or slots busy when they were
 *     due
 * @param ownShare of the time in which threads were busy with operations, the share (0 to 1) that
 *     the generator spent itself: making values, checking, recording
 * @param unsent operations of the schedule that were not sent when the run ended
 */
public record GeneratorFigures(
    long latenessP50,
    long latenessP99,
    long latenessMax,
    double behind,
    double ownShare,
    long unsent) {}
