package io.silkkv.engine.version;

import java.util.Arrays;

/**
 * The sequences at which open views read. They cut the versions of a key into stripes; within a
 * stripe only the newest version can be seen by anyone. Immutable.
 */
public final class LiveSequences {
  /** Nobody but readers of the newest state. */
  public static final LiveSequences NONE = new LiveSequences(new long[0]);

  private final long[] ascending;

  private LiveSequences(long[] ascending) {
    this.ascending = ascending;
  }

  /** Sequences in any order, with or without repetition. */
  public static LiveSequences of(long... sequences) {
    long[] sorted = sequences.clone();
    Arrays.sort(sorted);
    return new LiveSequences(sorted);
  }

  /**
   * Whether a version is hidden by a newer one for every view and for readers of the newest state:
   * no view reads at a sequence in {@code [older, newer)}.
   */
  public boolean hides(long newer, long older) {
    int at = firstAtOrAfter(older);
    return at == ascending.length || ascending[at] >= newer;
  }

  /** Whether no view reads below a sequence, so that nobody can see anything older. */
  public boolean noneBelow(long sequence) {
    return ascending.length == 0 || ascending[0] >= sequence;
  }

  private int firstAtOrAfter(long sequence) {
    int at = Arrays.binarySearch(ascending, sequence);
    if (at < 0) {
      return -at - 1;
    }
    while (at > 0 && ascending[at - 1] == sequence) {
      at--;
    }
    return at;
  }
}
