package io.silkkv.ops.bench.load;

/**
 * What a thread or slot did since it was last idle: of the delay of an operation that had to wait
 * for it, the generator is to blame for as large a share as it had in that time. Not thread-safe:
 * for whoever holds the thread or slot.
 */
final class Busy {
  private long freeAt = Long.MIN_VALUE;
  private long own;
  private long system;

  /** When it last became free. */
  long freeAt() {
    return freeAt;
  }

  /** It was free when an operation was due, which was sent so much later. */
  void sentAfterIdle(long lateness) {
    own = lateness;
    system = 0;
  }

  /** An operation had been due when it became free. */
  void sentWhenBusy(long sent) {
    own += sent - freeAt;
  }

  /** The system has given it back. */
  void free(long sent, long end) {
    system += end - sent;
    freeAt = end;
  }

  /** The generator's part of a delay. */
  long ownPart(long delay) {
    long busy = own + system;
    return busy == 0 ? 0 : (long) ((double) delay * own / busy);
  }
}
