package io.silkkv.raftsm;

/**
 * Whether the next entry waits a moment for the callers that the last one answered. Under steady
 * load callers come back with their next command at once; without the wait they find the next entry
 * gone and wait for it as a second group, so that two half-full entries take turns, each at the
 * full price of an entry. The wait ends when most of them are back, and after a bound.
 *
 * <p>Callers that do not come back (an open loop, a burst that is over) make waiting useless: after
 * a wait in vain the next entries leave at once, more of them each time. A caller that is alone
 * never waits.
 *
 * <p>Not thread-safe: the batcher's lock guards it.
 */
final class ReturnWait {
  /** One caller in so many may be missing: nobody waits for stragglers. */
  private static final int STRAGGLERS = 8;

  private static final int FIRST_PAUSE = 8;
  private static final int LONGEST_PAUSE = 512;

  private boolean waiting;
  private int enough;
  private long number;

  /** Entries that leave at once after the next wait in vain. */
  private int nextPause = FIRST_PAUSE;

  /** Entries that still leave at once. */
  private int pause;

  /**
   * An entry has ended and none is in flight.
   *
   * @param answered commands that it held
   * @param queued commands that wait already
   * @return whether a wait begins; its {@link #number} tells it from others
   */
  boolean begin(int answered, int queued) {
    waiting = false;
    if (pause > 0) {
      pause--;
      return false;
    }
    enough = queued + answered - answered / STRAGGLERS;
    waiting = enough >= 2 && enough > queued;
    number++;
    return waiting;
  }

  long number() {
    return number;
  }

  /** Whether an entry with these commands must not leave yet. Ends the wait when it may. */
  boolean holds(int queued) {
    if (waiting && queued >= enough) {
      waiting = false;
      nextPause = FIRST_PAUSE;
    }
    return waiting;
  }

  /** An entry leaves for another reason, e.g. because it is full. */
  void end() {
    waiting = false;
  }

  /** The time of a wait is over. */
  void expire(long expired) {
    if (waiting && expired == number) {
      waiting = false;
      pause = nextPause;
      nextPause = Math.min(LONGEST_PAUSE, 2 * nextPause);
    }
  }
}
