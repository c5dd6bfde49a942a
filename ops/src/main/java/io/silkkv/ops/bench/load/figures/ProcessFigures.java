package io.silkkv.ops.bench.load.figures;

/**
 * What the process that held system and load generator used in the measured phase.
 *
 * @param cpuSeconds of all threads, user and system
 * @param peakRssBytes most memory resident at once since the process began; -1 where the operating
 *     system does not tell
 * @param gcPauseMaxNanos longest single pause of the collector; -1 when not watched
 * @param safepointMaxNanos longest time in which all Java threads stood, for whatever reason; -1
 *     when not watched
 */
public record ProcessFigures(
    double cpuSeconds, long peakRssBytes, long gcPauseMaxNanos, long safepointMaxNanos) {}
