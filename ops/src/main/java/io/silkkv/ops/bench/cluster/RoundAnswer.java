package io.silkkv.ops.bench.cluster;

import io.silkkv.ops.bench.load.figures.LoadResult;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What a load generator says after a round.
 *
 * @param fault null when there was none
 * @param facts of the client
 */
record RoundAnswer(
    LoadResult load, @Nullable FaultFigures fault, SortedMap<String, String> facts) {}
