package io.silkkv.ops.bench.load;

import java.util.List;

/**
 * A stretch of constant load.
 *
 * @param seconds how long, above 0
 * @param opsPerSecond the offered rate, 0 for silence
 */
public record Phase(double seconds, double opsPerSecond) {
  public Phase {
    if (!(seconds > 0) || !(opsPerSecond >= 0) || Double.isInfinite(seconds * opsPerSecond)) {
      throw new IllegalArgumentException(
          "a phase of "
              + seconds
              + " s at "
              + opsPerSecond
              + "/s: seconds must be above 0, and the"
              + " rate at least 0");
    }
  }

  /** The same phases with all rates multiplied so that the highest is {@code peak}. */
  public static List<Phase> scaledToPeak(List<Phase> phases, double peak) {
    double highest = phases.stream().mapToDouble(Phase::opsPerSecond).max().orElse(0);
    if (highest == 0) {
      return phases;
    }
    return phases.stream()
        .map(p -> new Phase(p.seconds(), p.opsPerSecond() * (peak / highest)))
        .toList();
  }
}
