package io.silkkv.ops.bench;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a fixed number of calls in flight: whoever gets an answer asks again. Latencies are in
 * microseconds, from the call to its answer. A closed loop slows down with what it measures; it
 * compares, it does not predict.
 *
 * <p>{@link #start}, {@link #interval} and {@link #stop} are for one thread.
 */
public final class ClosedLoop {
  private static final long MAX_MICROS = TimeUnit.MINUTES.toMicros(10);

  private final int inFlight;
  private final Call call;
  private final LongSupplier nanoClock;
  private final Recorder recorder = new Recorder(MAX_MICROS, 3);
  private final AtomicLong next;
  private final LongAdder errors = new LongAdder();
  private final AtomicReference<@Nullable Throwable> firstError = new AtomicReference<>();
  private final CountDownLatch lanes;
  private volatile boolean stopped;

  /** One call of the load. */
  @FunctionalInterface
  public interface Call {
    /**
     * Issues call number {@code number}; numbers are never repeated. A future that fails counts as
     * an error.
     */
    CompletableFuture<?> issue(long number);
  }

  /** What happened since the last look. */
  public record Interval(Histogram micros, long errors) {}

  /**
   * @param firstNumber number of the first call
   */
  public ClosedLoop(int inFlight, long firstNumber, Call call, LongSupplier nanoClock) {
    this.inFlight = inFlight;
    this.call = call;
    this.nanoClock = nanoClock;
    this.next = new AtomicLong(firstNumber);
    this.lanes = new CountDownLatch(inFlight);
  }

  public void start() {
    for (int lane = 0; lane < inFlight; lane++) {
      drive();
    }
  }

  /** A lane: calls one after the other, on whatever thread the answer comes. */
  private void drive() {
    while (!stopped) {
      long number = next.getAndIncrement();
      long began = nanoClock.getAsLong();
      CompletableFuture<?> answer = call.issue(number);
      if (!answer.isDone()) {
        CompletableFuture<?> unused =
            answer.whenComplete(
                (value, error) -> {
                  finished(began, error);
                  drive();
                });
        return;
      }
      // An answer that is there already is handled here: a chain of them must not fill the stack.
      CompletableFuture<?> unused = answer.whenComplete((value, error) -> finished(began, error));
    }
    lanes.countDown();
  }

  private void finished(long began, @Nullable Throwable error) {
    if (error == null) {
      long micros = TimeUnit.NANOSECONDS.toMicros(nanoClock.getAsLong() - began);
      recorder.recordValue(Math.min(micros, MAX_MICROS));
    } else {
      errors.increment();
      firstError.compareAndSet(null, error);
    }
  }

  /** Answers and errors since the last call of this method. */
  public Interval interval() {
    return new Interval(recorder.getIntervalHistogram(), errors.sumThenReset());
  }

  /** Number of the next call. */
  public long nextNumber() {
    return next.get();
  }

  /** The first error, for a message; null when there was none. */
  public @Nullable Throwable firstError() {
    return firstError.get();
  }

  /**
   * Issues no more calls and waits for the answers to those in flight.
   *
   * @return whether all came within the time
   */
  public boolean stop(Duration limit) throws InterruptedException {
    stopped = true;
    return lanes.await(limit.toMillis(), TimeUnit.MILLISECONDS);
  }
}
