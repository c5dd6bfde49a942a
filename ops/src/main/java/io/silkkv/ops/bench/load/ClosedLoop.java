package io.silkkv.ops.bench.load;

import io.silkkv.ops.bench.load.data.OperationSource;
import io.silkkv.ops.bench.load.data.Oracle;
import io.silkkv.ops.bench.load.figures.LoadResult;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Keeps a fixed number of operations under way: whoever has an answer asks again. It finds the
 * maximum rate, and it fills. It slows down with the system, so that its latencies say little about
 * stalls: they count from the moment of sending.
 *
 * <p>Thread-safe: it holds no state between runs.
 */
public final class ClosedLoop {
  /** A longer run would be cut here. */
  private static final int MOST_SECONDS = 86_400;

  private static final int TICK_MILLIS = 100;

  private final LongSupplier nanoClock;
  private final LoadLimits limits;

  public ClosedLoop(LongSupplier nanoClock, LoadLimits limits) {
    this.nanoClock = nanoClock;
    this.limits = limits;
  }

  /**
   * Runs until one of the bounds is reached, and waits for the answers.
   *
   * @param seconds bound on time, up to a day; infinity for a day
   * @param operations bound on the count; Long.MAX_VALUE for none
   * @throws IllegalStateException when the generator itself failed, e.g. for want of memory
   */
  public LoadResult run(
      double seconds,
      long operations,
      OperationSource source,
      Driver driver,
      Oracle oracle,
      Progress.Listener listener)
      throws InterruptedException {
    double bound = Math.min(seconds, MOST_SECONDS);
    long overrun = limits.overrun().toNanos();
    int mostSeconds = (int) (bound + limits.overrun().toSeconds()) + 3;
    LoadRun run =
        new LoadRun(nanoClock, nanoClock.getAsLong(), source, oracle, Recorder.closed(mostSeconds));
    Chains chains = new Chains(run, driver, (long) (bound * 1e9), operations);
    try {
      chains.start();
      while (chains.ended.getCount() > 0
          && !run.stopped()
          && run.now() <= chains.lengthNanos + overrun) {
        run.tick(chains.ended, TICK_MILLIS, 0, listener);
      }
    } finally {
      run.stop();
    }
    run.giveUp(chains.slots);
    run.throwFatal();
    return run.result("closed", null, 0, 0, limits, listener);
  }

  /** The slots of one run, each a chain of operations. */
  private static final class Chains {
    private final LoadRun run;
    private final Driver driver;
    private final long lengthNanos;
    private final long operations;
    private final List<Slot> slots;
    private final CountDownLatch ended;

    Chains(LoadRun run, Driver driver, long lengthNanos, long operations) {
      this.run = run;
      this.driver = driver;
      this.lengthNanos = lengthNanos;
      this.operations = operations;
      this.slots = IntStream.range(0, driver.atOnce()).mapToObj(i -> new Slot()).toList();
      this.ended = new CountDownLatch(slots.size());
    }

    void start() {
      if (driver instanceof Driver.Blocking blocking) {
        List<Thread> unused =
            LoadThreads.start(
                blocking.threads(), index -> chain(slots.get(index), blocking), run, ended);
      } else {
        slots.forEach(slot -> chain(slot, (Driver.Async) driver));
      }
    }

    /** Fills the slot with the next operation; false at the end of the run. */
    private boolean next(Slot slot) {
      if (run.stopped() || run.now() >= lengthNanos) {
        return false;
      }
      long number = run.takeNumber();
      if (number >= operations) {
        return false;
      }
      Call call = run.prepare(number);
      long now = run.now();
      run.lateness().sentInClosedLoop(slot.busy(), now);
      slot.send(call, now, now);
      return true;
    }

    private void chain(Slot slot, Driver.Blocking blocking) {
      while (next(slot)) {
        run.call(slot, blocking.target());
      }
    }

    /** Goes on with the slot on whatever thread the answer comes. */
    private void chain(Slot slot, Driver.Async async) {
      try {
        while (next(slot)) {
          CompletableFuture<?> answer = run.start(slot, async.target());
          if (!answer.isDone()) {
            CompletableFuture<?> unused =
                answer.whenComplete(
                    (value, error) -> {
                      if (run.ended(slot, run.now(), error)) {
                        chain(slot, async);
                      }
                    });
            return;
          }
          // An answer that is there already is handled here: a chain must not fill the stack.
          CompletableFuture<?> unused =
              answer.whenComplete((value, error) -> run.ended(slot, run.now(), error));
        }
      } catch (RuntimeException | Error e) {
        run.fatal(e);
      }
      ended.countDown();
    }
  }
}
