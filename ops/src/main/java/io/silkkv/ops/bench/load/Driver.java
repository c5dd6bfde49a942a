package io.silkkv.ops.bench.load;

/** A target, and how many operations it is given at once. */
public sealed interface Driver {

  /** How many threads send. */
  int threads();

  /** How many operations may be under way. */
  int atOnce();

  /**
   * @param threads that send; each waits for its answer before it sends again
   */
  record Blocking(LoadTarget target, int threads) implements Driver {
    public Blocking {
      check("threads", threads);
    }

    @Override
    public int atOnce() {
      return threads;
    }
  }

  /**
   * @param inFlight most operations without answer
   * @param threads that send in an open loop; one is enough for tens of thousands of operations per
   *     second. In a closed loop the threads that bring the answers send
   */
  record Async(AsyncLoadTarget target, int inFlight, int threads) implements Driver {
    public Async {
      check("operations in flight", inFlight);
      check("threads", threads);
    }

    @Override
    public int atOnce() {
      return inFlight;
    }
  }

  static Driver blocking(LoadTarget target, int threads) {
    return new Blocking(target, threads);
  }

  static Driver async(AsyncLoadTarget target, int inFlight) {
    return new Async(target, inFlight, 1);
  }

  private static void check(String what, int count) {
    if (count < 1) {
      throw new IllegalArgumentException(count + " " + what + ": at least 1 is needed");
    }
  }
}
