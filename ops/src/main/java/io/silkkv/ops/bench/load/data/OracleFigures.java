package io.silkkv.ops.bench.load.data;

import java.util.List;

/**
 * What the oracle found.
 *
 * @param readsChecked answers whose value was compared with what the key may hold; for keys outside
 *     of the sample only that it belongs to the key and is whole
 * @param sampledReads of these, the ones that were checked for lost and stale writes too
 * @param mismatches answers that no order of the operations explains; each is a fault of the system
 * @param firstMismatches the first few, for people
 * @param givenUp sampled keys with too many writes of unknown outcome at once to go on checking
 */
public record OracleFigures(
    long readsChecked,
    long sampledReads,
    long mismatches,
    List<String> firstMismatches,
    long givenUp) {}
