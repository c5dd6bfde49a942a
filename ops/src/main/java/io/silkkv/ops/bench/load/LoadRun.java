package io.silkkv.ops.bench.load;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.ops.bench.load.data.OperationSource;
import io.silkkv.ops.bench.load.data.Oracle;
import io.silkkv.ops.bench.load.data.OracleFigures;
import io.silkkv.ops.bench.load.figures.GeneratorFigures;
import io.silkkv.ops.bench.load.figures.LoadResult;
import io.silkkv.ops.bench.load.figures.SecondFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the threads of one run share, in an open loop or a closed one: where its time begins, which
 * operation is next, and where outcomes go. Thread-safe but for {@link #tick} and {@link #result},
 * which are for the thread that runs the load. Times are nanoseconds since the start.
 */
final class LoadRun {
  private static final int MOST_MESSAGES = 5;
  private static final long PROGRESS_NANOS = 1_000_000_000L;

  /** How long an answer may take to be counted once it is there, before the run ends without it. */
  private static final int COUNTING_MILLIS = 5_000;

  private final LongSupplier nanoClock;
  private final long start;
  private final OperationSource source;
  private final Oracle oracle;
  private final Recorder recorder;
  private final Lateness lateness = new Lateness();
  private final AtomicLong next = new AtomicLong();
  private final AtomicLong lastAnswer = new AtomicLong();
  private final AtomicReference<@Nullable Throwable> fatal = new AtomicReference<>();
  private volatile boolean stopped;

  @GuardedBy("messages")
  private final List<String> messages = new ArrayList<>();

  // For the thread that runs the load.
  private long nextProgress = PROGRESS_NANOS;
  private final List<SecondFigures> untold = new ArrayList<>();

  /**
   * @param startNanos on the clock
   */
  LoadRun(
      LongSupplier nanoClock,
      long startNanos,
      OperationSource source,
      Oracle oracle,
      Recorder recorder) {
    this.nanoClock = nanoClock;
    this.start = startNanos;
    this.source = source;
    this.oracle = oracle;
    this.recorder = recorder;
  }

  long now() {
    return nanoClock.getAsLong() - start;
  }

  /** On the clock. */
  long clockTime(long sinceStart) {
    return start + sinceStart;
  }

  Lateness lateness() {
    return lateness;
  }

  /** Number of the next operation; each is given out once. */
  long takeNumber() {
    return next.getAndIncrement();
  }

  long nextNumber() {
    return next.get();
  }

  Call prepare(long number) {
    return Call.prepare(source.operation(number), number, oracle);
  }

  /** An operation that was due is not sent: the run is over at {@code end}. */
  void unsent(long number, long due, long end) {
    recorder.unanswered(source.operation(number).kind(), due, Math.max(due, end));
  }

  /** Runs the operation of a slot to its end and counts it. */
  void call(Slot slot, LoadTarget target) {
    Exception error = null;
    try {
      slot.call().run(target);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      error = e;
    } catch (Exception e) {
      error = e;
    }
    ended(slot, now(), error);
  }

  /** Sends the operation of a slot. */
  CompletableFuture<?> start(Slot slot, AsyncLoadTarget target) {
    try {
      return slot.call().start(target);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /**
   * The operation of a slot has ended.
   *
   * @return whether it counted, and the slot is free
   */
  boolean ended(Slot slot, long end, @Nullable Throwable error) {
    slot.busy().free(slot.sent(), end);
    lateness.answered(end - slot.sent());
    if (!slot.answer()) {
      return false;
    }
    Call call = slot.call();
    if (error == null) {
      recorder.answered(call.kind(), slot.due(), end);
      lastAnswer.accumulateAndGet(end, Math::max);
      call.judge();
    } else {
      recorder.failed(call.kind(), slot.due(), end);
      call.failed();
      message(call, error);
    }
    slot.counted();
    return true;
  }

  private void message(Call call, Throwable error) {
    synchronized (messages) {
      if (messages.size() < MOST_MESSAGES) {
        messages.add(call.kind().jsonName() + ": " + error);
      }
    }
  }

  /** Ends the run with an error that is not an operation's. */
  void fatal(Throwable cause) {
    fatal.compareAndSet(null, cause);
    stopped = true;
  }

  /** Throws what ended the run. */
  void throwFatal() {
    Throwable cause = fatal.get();
    if (cause != null) {
      throw new IllegalStateException("the load generator failed: " + cause, cause);
    }
  }

  boolean stopped() {
    return stopped;
  }

  void stop() {
    stopped = true;
  }

  /** Waits, and tells about the progress when it is time. */
  void tick(CountDownLatch done, int millis, long behind, Progress.Listener listener)
      throws InterruptedException {
    boolean unused = done.await(millis, TimeUnit.MILLISECONDS);
    long now = now();
    untold.addAll(recorder.closeSeconds(now));
    if (now >= nextProgress) {
      nextProgress = now - now % PROGRESS_NANOS + PROGRESS_NANOS;
      tell(now, behind, listener);
    }
  }

  private void tell(long now, long behind, Progress.Listener listener) {
    listener.progress(
        new Progress(
            now / 1e9,
            lateness.sent(),
            recorder.answeredOrFailed(),
            recorder.failed(),
            Math.max(0, behind) / 1e9,
            List.copyOf(untold)));
    untold.clear();
  }

  /** What is still under way counts as unanswered from now on. */
  void giveUp(List<Slot> slots) throws InterruptedException {
    stopped = true;
    long end = now();
    for (Slot slot : slots) {
      if (slot.giveUp()) {
        recorder.unanswered(slot.call().kind(), slot.due(), Math.max(slot.due(), end));
      }
    }
    for (int waited = 0; slots.stream().anyMatch(Slot::isCounting); waited += 10) {
      if (waited > COUNTING_MILLIS) {
        throw new IllegalStateException("an answer could not be counted within 5 s");
      }
      // Nobody counts it down: this is a pause that an interrupt ends.
      boolean unused = new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
    }
  }

  /**
   * The figures; nothing may be under way any more.
   *
   * @param mode open or closed
   * @param pauses of this JVM that are the system's and not the generator's; null for none
   * @param offeredNanos length of the schedule; 0 for a closed loop
   */
  LoadResult result(
      String mode,
      @Nullable JvmPauses pauses,
      long offeredNanos,
      long unsent,
      LoadLimits limits,
      Progress.Listener listener) {
    long end = Math.max(1, Math.max(offeredNanos, lastAnswer.get()));
    untold.addAll(recorder.closeSeconds(now()));
    tell(now(), 0, listener);
    List<SecondFigures> seconds = recorder.finish(now());
    lateness.excuse((from, to) -> pauses != null && pauses.between(clockTime(from), clockTime(to)));
    GeneratorFigures generator = lateness.figures(unsent);
    OracleFigures found = oracle.figures();
    List<String> errors;
    synchronized (messages) {
      errors = List.copyOf(messages);
    }
    return new LoadResult(
        mode,
        end / 1e9,
        recorder.figures((offeredNanos == 0 ? end : offeredNanos) / 1e9, end / 1e9),
        seconds,
        generator,
        found,
        invalidBecause(generator, found, limits),
        errors);
  }

  private List<String> invalidBecause(
      GeneratorFigures generator, OracleFigures found, LoadLimits limits) {
    List<String> reasons = new ArrayList<>();
    long late = generator.latenessP99();
    if (late > limits.lateness().toNanos() && late > limits.latenessShare() * recorder.p99()) {
      reasons.add(
          String.format(
              Locale.ROOT,
              "the load generator fell behind: it sent operations %.2f ms late (p99) although a"
                  + " thread was free, of a latency of %.2f ms; lower the rate, or leave it more"
                  + " processor time",
              late / 1e6,
              recorder.p99() / 1e6));
    }
    if (found.mismatches() > 0) {
      reasons.add(
          found.mismatches()
              + " reads returned what they must not: "
              + String.join("; ", found.firstMismatches()));
    }
    if (recorder.answered() == 0) {
      reasons.add("no operation succeeded");
    }
    return reasons;
  }
}
