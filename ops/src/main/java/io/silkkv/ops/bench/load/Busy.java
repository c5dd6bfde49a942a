package io.silkkv.ops.bench.load;

/**
 * What a thread or slot did since it was last idle while an operation was due: time that the
 * generator took, and time that the system took. Not thread-safe: for whoever holds the thread or
 * slot.
 */
final class Busy {
  private long freeAt = Long.MIN_VALUE;
  private long own;
  private long system;

  /** When the system last gave it back. */
  long freeAt() {
    return freeAt;
  }

  /** It was idle until now. */
  void begin(long ownNanos, long systemNanos) {
    own = ownNanos;
    system = systemNanos;
  }

  /** It went on. */
  void goOn(long ownNanos, long systemNanos) {
    own += ownNanos;
    system += systemNanos;
  }

  /** The system has given it back. */
  void free(long sent, long end) {
    system += end - sent;
    freeAt = end;
  }

  /** The generator's share (0 to 1) of the time since it was last idle. */
  double ownShare() {
    return own == 0 ? 0 : (double) own / (own + system);
  }
}
