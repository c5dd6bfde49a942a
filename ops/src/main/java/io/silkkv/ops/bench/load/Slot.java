package io.silkkv.ops.bench.load;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A place for one operation under way: a thread's, or one of those that an asynchronous target may
 * have in flight. The answer and the end of the run race for it, and one of them wins. The other
 * fields belong to whoever holds the slot.
 */
final class Slot {
  private static final int FREE = 0;
  private static final int SENT = 1;
  private static final int COUNTING = 2;
  private static final int GIVEN_UP = 3;

  private final AtomicInteger state = new AtomicInteger(FREE);
  private final Busy busy = new Busy();
  private @Nullable Call call;
  private long due;
  private long sent;

  Busy busy() {
    return busy;
  }

  /**
   * @param due when it should have been sent
   */
  void send(Call operation, long due, long sent) {
    this.call = operation;
    this.due = due;
    this.sent = sent;
    state.set(SENT);
  }

  /** The operation on its way, or the last one. */
  Call call() {
    Call known = call;
    if (known == null) {
      throw new IllegalStateException("nothing was sent from this slot");
    }
    return known;
  }

  long due() {
    return due;
  }

  long sent() {
    return sent;
  }

  /**
   * An answer came.
   *
   * @return whether it still counts; then {@link #counted} must follow
   */
  boolean answer() {
    return state.compareAndSet(SENT, COUNTING);
  }

  /** The answer is in the figures. */
  void counted() {
    state.set(FREE);
  }

  /**
   * The run is over.
   *
   * @return whether an operation was under way, whose answer will not count any more
   */
  boolean giveUp() {
    return state.compareAndSet(SENT, GIVEN_UP);
  }

  boolean isSent() {
    return state.get() == SENT;
  }

  boolean isCounting() {
    return state.get() == COUNTING;
  }
}
