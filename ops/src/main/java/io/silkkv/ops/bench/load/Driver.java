package io.silkkv.ops.bench.load;

/** A target and how many operations it is given at once. */
public sealed interface Driver {

  /**
   * @param threads that send; each waits for its answer before it sends again
   */
  record Blocking(LoadTarget target, int threads) implements Driver {}

  /**
   * @param inFlight most operations without answer
   * @param threads that send; one is enough for tens of thousands of operations per second
   */
  record Async(AsyncLoadTarget target, int inFlight, int threads) implements Driver {}

  static Driver blocking(LoadTarget target, int threads) {
    return new Blocking(target, threads);
  }

  static Driver async(AsyncLoadTarget target, int inFlight) {
    return new Async(target, inFlight, 1);
  }
}
