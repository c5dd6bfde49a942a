package io.silkkv.ops.bench.load.figures;

import java.util.List;
import java.util.SortedMap;

/**
 * One system under one workload, measured once.
 *
 * @param system name as on the command line, e.g. {@code silkkv-silk}
 * @param workload name as on the command line, e.g. {@code burst}
 * @param round from 1; systems that take turns are measured several times
 * @param effectiveOptions what the system really ran with, for people
 * @param ioBytesPerSecond by class of traffic (client, log, replication, flush, l0, deep, read...),
 *     one value per second from the start of the measured phase; empty when the system does not
 *     tell
 */
public record Measurement(
    String system,
    String workload,
    int round,
    LoadResult load,
    ProcessFigures process,
    StorageFigures storage,
    SortedMap<String, String> effectiveOptions,
    SortedMap<String, List<Double>> ioBytesPerSecond) {}
