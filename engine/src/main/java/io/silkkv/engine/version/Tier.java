package io.silkkv.engine.version;

/**
 * Where in the tree a table is written to, as far as its layout depends on it: what is high up is
 * rewritten soon and often, what is on the last level is most of the data and stays.
 */
public enum Tier {
  /** Level 0, and what is merged from it into the level below. */
  UPPER,
  /** In between. */
  MIDDLE,
  /** No deeper level holds anything. */
  LAST;

  /**
   * The tier of tables that a compaction writes.
   *
   * @param from level of its inputs
   * @param to level of its outputs
   */
  public static Tier ofCompaction(Levels levels, int from, int to) {
    if (to == 0) {
      return UPPER;
    }
    for (int deeper = to + 1; deeper < Levels.COUNT; deeper++) {
      if (!levels.tables(deeper).isEmpty()) {
        return from == 0 ? UPPER : MIDDLE;
      }
    }
    return LAST;
  }
}
