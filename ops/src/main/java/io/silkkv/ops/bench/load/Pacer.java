package io.silkkv.ops.bench.load;

/** Waits for a time: the border to the real clock, which tests replace by a virtual one. */
@FunctionalInterface
public interface Pacer {
  /**
   * Returns at {@code nanos} of the clock or a little later, never before; at once when it is past.
   *
   * @throws InterruptedException when the thread is interrupted
   */
  void awaitTime(long nanos) throws InterruptedException;
}
