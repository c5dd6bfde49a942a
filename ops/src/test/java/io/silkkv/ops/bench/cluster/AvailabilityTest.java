package io.silkkv.ops.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.ops.bench.load.AsyncLoadTarget;
import io.silkkv.ops.bench.load.EntrySink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AvailabilityTest {
  private final AtomicLong nanos = new AtomicLong(-5);
  private final Availability availability = new Availability(nanos::get, 10);

  /** Successes at equal distances, from now on. */
  private void steady(double seconds, int perSecond) {
    for (int i = 0; i < seconds * perSecond; i++) {
      availability.success();
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(1) / perSecond);
    }
  }

  @Test
  void theLongestTimeWithoutASuccessIsFoundAndWhenTheRateIsBack() {
    steady(3, 1000);
    long fault = nanos.get();
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1500));
    steady(1, 200);
    steady(4.5, 1000);
    FaultFigures figures = availability.around(2, fault);
    assertThat(figures.member()).isEqualTo(2);
    assertThat(figures.unavailableMillis()).isBetween(1480.0, 1520.0);
    // Slow for a second after the silence; the half second that counts may begin in it.
    assertThat(figures.rateBackMillis()).isBetween(2300.0, 2520.0);
  }

  @Test
  void aFaultThatNobodyNoticesHasNoEffect() {
    steady(10, 1000);
    assertThat(availability.around(0, nanos.get() - TimeUnit.SECONDS.toNanos(5)))
        .isEqualTo(new FaultFigures(0, 0, 0));
  }

  @Test
  void aRateThatDoesNotComeBackIsUnknown() {
    steady(3, 1000);
    long fault = nanos.get();
    steady(7, 100);
    FaultFigures figures = availability.around(1, fault);
    assertThat(figures.unavailableMillis()).isLessThan(20);
    assertThat(figures.rateBackMillis()).isNaN();
  }

  @Test
  void silenceUntilTheEndCountsUntilTheEnd() {
    steady(4, 1000);
    FaultFigures figures = availability.around(1, nanos.get());
    assertThat(figures.unavailableMillis()).isBetween(5980.0, 6000.0);
    assertThat(figures.rateBackMillis()).isNaN();
  }

  @Test
  void onlyCallsThatSucceedAreCounted() {
    List<CompletableFuture<Void>> answers = new ArrayList<>();
    WatchedTarget target = new WatchedTarget(new Pending(answers), availability);
    CompletableFuture<Void> put = target.put(new byte[1], new byte[1]);
    CompletableFuture<Void> delete = target.delete(new byte[1]);
    answers.get(0).completeExceptionally(new IllegalStateException("boom"));
    assertThat(availability.around(0, nanos.get()).unavailableMillis()).isEqualTo(10_000);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(5));
    answers.get(1).complete(null);
    assertThat(put).isCompletedExceptionally();
    assertThat(delete).isCompleted();
    assertThat(availability.around(0, -5).unavailableMillis()).isEqualTo(5_000);
  }

  /** Answers when the test does. */
  private record Pending(List<CompletableFuture<Void>> answers) implements AsyncLoadTarget {
    private CompletableFuture<Void> next() {
      answers.add(new CompletableFuture<>());
      return answers.get(answers.size() - 1);
    }

    @Override
    public CompletableFuture<Void> put(byte[] key, byte[] value) {
      return next();
    }

    @Override
    public CompletableFuture<byte[]> get(byte[] key) {
      return next().thenApply(nothing -> new byte[0]);
    }

    @Override
    public CompletableFuture<Integer> scan(byte[] start, int limit, EntrySink sink) {
      return next().thenApply(nothing -> 0);
    }

    @Override
    public CompletableFuture<Void> delete(byte[] key) {
      return next();
    }

    @Override
    public void close() {}
  }
}
