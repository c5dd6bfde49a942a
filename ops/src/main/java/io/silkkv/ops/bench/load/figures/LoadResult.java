package io.silkkv.ops.bench.load.figures;

import io.silkkv.ops.bench.load.data.OracleFigures;
import java.util.List;

/**
 * What the load generator saw in the measured phase.
 *
 * @param mode {@code open} or {@code closed}
 * @param seconds length of the measured phase, from its start to the last answer counted
 * @param operations one per kind of operation that occurred
 * @param perSecond ordered by second, then kind; a second in which nothing of a kind was due has no
 *     entry for it
 * @param invalidBecause why the figures must not be used; empty for a valid run. An oracle mismatch
 *     is a reason
 * @param firstErrors messages of the first failed operations, at most a few
 */
public record LoadResult(
    String mode,
    double seconds,
    List<OpFigures> operations,
    List<SecondFigures> perSecond,
    GeneratorFigures generator,
    OracleFigures oracle,
    List<String> invalidBecause,
    List<String> firstErrors) {

  public boolean valid() {
    return invalidBecause.isEmpty();
  }
}
