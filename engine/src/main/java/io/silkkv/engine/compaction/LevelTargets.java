package io.silkkv.engine.compaction;

import io.silkkv.engine.version.Levels;

/**
 * How large each level may be, computed from the largest level up, so that the levels above the
 * last one together hold about a ninth of it however much data there is ("Optimizing Space
 * Amplification in RocksDB", CIDR 2017, section 3). Level 0 is merged into the <em>base level</em>,
 * the first one that is worth having; levels above it stay empty or are drained.
 *
 * <p>Nothing here depends on level 0: its size changes by the second, and targets that follow it
 * would call a good shape bad from one moment to the next. For the same reason a level that has
 * become unnecessary does not lose its target at once: the target shrinks with the data. A pure
 * value.
 */
public final class LevelTargets {
  private final int baseLevel;
  private final double[] targets;

  private LevelTargets(int baseLevel, double[] targets) {
    this.baseLevel = baseLevel;
    this.targets = targets;
  }

  /** Targets for a shape. */
  public static LevelTargets of(Levels levels, CompactionOptions options) {
    double largest = 0;
    int firstNotEmpty = Levels.LAST;
    for (int level = Levels.LAST; level >= 1; level--) {
      long bytes = levels.bytes(level);
      largest = Math.max(largest, (double) bytes);
      firstNotEmpty = bytes > 0 ? level : firstNotEmpty;
    }
    double max = options.levelBaseBytes();
    double[] targets = new double[Levels.COUNT];
    int wanted = Levels.LAST;
    double ideal = largest;
    targets[Levels.LAST] = Double.POSITIVE_INFINITY;
    while (wanted > 1 && ideal > max) {
      ideal /= options.multiplier(wanted);
      wanted--;
      // Less than the base size on any level would rewrite the level below for nothing.
      targets[wanted] = Math.max(ideal, max);
    }
    if (wanted > 1) {
      // Down to half of what once made it necessary, the level above is kept, but ever smaller.
      targets[wanted - 1] = max * Math.max(0, 2 * (ideal / max) - 1);
    }
    return new LevelTargets(Math.min(wanted, firstNotEmpty), targets);
  }

  /** The level that level 0 is merged into: 1 to the last one. No level above it has tables. */
  public int baseLevel() {
    return baseLevel;
  }

  /**
   * Bytes that a level may have; 0 for one that should be drained, without limit for the last.
   *
   * @param level 1 or deeper
   */
  public double bytes(int level) {
    return targets[level];
  }
}
