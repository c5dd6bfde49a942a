package io.silkkv.ops.bench.load;

import io.silkkv.ops.bench.load.data.OperationSource;
import io.silkkv.ops.bench.load.data.Oracle;
import io.silkkv.ops.bench.load.figures.LoadResult;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Sends operations when a schedule says, whatever the system does. Threads take the operations in
 * order, each waits for the time of its one, and sends it. When all threads (or all slots of an
 * asynchronous target) are busy, an operation is sent late; its latency counts from the intended
 * time and so includes the wait. How late the generator itself was is measured apart, see {@link
 * Lateness}.
 *
 * <p>Thread-safe: it holds no state between runs.
 */
public final class OpenLoop {
  /** Until the first operation is due all threads are up. */
  private static final long START_DELAY_NANOS = 50_000_000;

  private static final int TICK_MILLIS = 100;
  private static final int JOIN_MILLIS = 5_000;

  private final LongSupplier nanoClock;
  private final Pacer pacer;
  private final LoadLimits limits;

  public OpenLoop(LongSupplier nanoClock, Pacer pacer, LoadLimits limits) {
    this.nanoClock = nanoClock;
    this.pacer = pacer;
    this.limits = limits;
  }

  /**
   * Runs the schedule once. Returns when everything is answered, or when the overrun of the limits
   * is over.
   *
   * @throws IllegalStateException when the generator itself failed, e.g. for want of memory
   */
  public LoadResult run(
      Schedule schedule,
      OperationSource source,
      Driver driver,
      Oracle oracle,
      Progress.Listener listener)
      throws InterruptedException {
    try (JvmPauses pauses = JvmPauses.watch(nanoClock)) {
      return run(schedule, source, driver, oracle, listener, pauses);
    }
  }

  private LoadResult run(
      Schedule schedule,
      OperationSource source,
      Driver driver,
      Oracle oracle,
      Progress.Listener listener,
      JvmPauses pauses)
      throws InterruptedException {
    long overrun = limits.overrun().toNanos();
    LoadRun run =
        new LoadRun(
            nanoClock,
            nanoClock.getAsLong() + START_DELAY_NANOS,
            source,
            oracle,
            Recorder.open(schedule, overrun));
    Lanes lanes = new Lanes(driver, run);
    Sending sending =
        new Sending(schedule, run, lanes, driver.threads(), schedule.lengthNanos() + overrun);
    List<Thread> threads = sending.start();
    try {
      while (sending.done.getCount() > 0 && !sending.over()) {
        run.tick(sending.done, TICK_MILLIS, sending.behind(), listener);
      }
      while (lanes.anySent() && !sending.over()) {
        run.tick(new CountDownLatch(1), TICK_MILLIS, 0, listener);
      }
    } catch (InterruptedException | RuntimeException e) {
      run.stop();
      threads.forEach(Thread::interrupt);
      throw e;
    }
    run.stop();
    // No interrupts: a system might take them amiss. A thread that it does not give back is left.
    boolean unused = sending.done.await(JOIN_MILLIS, TimeUnit.MILLISECONDS);
    run.giveUp(lanes.slots());
    run.throwFatal();
    // An engine in this process stands when the process does: its pauses are its own.
    return run.result(
        "open",
        driver instanceof Driver.Blocking ? pauses : null,
        schedule.lengthNanos(),
        sending.countUnsent(),
        limits,
        listener);
  }

  /** The threads of one run. */
  private final class Sending {
    private final Schedule schedule;
    private final LoadRun run;
    private final Lanes lanes;
    private final int threads;
    private final long deadline;
    private final CountDownLatch done;
    private final AtomicLong unsent = new AtomicLong();

    Sending(Schedule schedule, LoadRun run, Lanes lanes, int threads, long deadline) {
      this.schedule = schedule;
      this.run = run;
      this.lanes = lanes;
      this.threads = threads;
      this.deadline = deadline;
      this.done = new CountDownLatch(threads);
    }

    List<Thread> start() {
      return LoadThreads.start(threads, index -> sendAll(lanes.lane(index)), run, done);
    }

    boolean over() {
      return run.stopped() || run.now() > deadline;
    }

    private void sendAll(Lanes.Lane lane) {
      while (!run.stopped()) {
        long number = run.takeNumber();
        if (number >= schedule.count()) {
          return;
        }
        if (!send(lane, number)) {
          unsent.incrementAndGet();
          run.unsent(number, schedule.nanosAt(number), run.now());
          return;
        }
      }
    }

    /**
     * @return false when the run ended before the operation was sent
     */
    private boolean send(Lanes.Lane lane, long number) {
      Call call = run.prepare(number);
      long due = schedule.nanosAt(number);
      Slot slot;
      try {
        pacer.awaitTime(run.clockTime(due));
        slot = lane.takeSlot();
      } catch (InterruptedException e) {
        return false;
      }
      long now = run.now();
      if (slot == null || run.stopped() || now > deadline) {
        return false;
      }
      run.lateness().sent(lane.busy(), slot.busy(), due, now);
      lane.send(slot, call, due, now);
      return true;
    }

    /** How long the next operation has been due. */
    long behind() {
      long number = run.nextNumber();
      return number >= schedule.count() ? 0 : run.now() - schedule.nanosAt(number);
    }

    /** Counts the operations that no thread has taken. */
    long countUnsent() {
      long end = run.now();
      for (long number = run.takeNumber(); number < schedule.count(); number = run.takeNumber()) {
        unsent.incrementAndGet();
        run.unsent(number, schedule.nanosAt(number), end);
      }
      return unsent.get();
    }
  }
}
