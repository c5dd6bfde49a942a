package io.silkkv.ops.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ClosedLoopTest {
  private final AtomicLong nanos = new AtomicLong();

  @Test
  void asManyCallsAreInFlightAsAskedForAndEachAnswerBringsTheNext() throws Exception {
    Queue<CompletableFuture<Long>> open = new ConcurrentLinkedQueue<>();
    AtomicLong last = new AtomicLong(-1);
    ClosedLoop loop =
        new ClosedLoop(
            3,
            10,
            number -> {
              last.set(number);
              CompletableFuture<Long> answer = new CompletableFuture<>();
              open.add(answer);
              return answer;
            },
            nanos::get);
    loop.start();
    assertThat(open).hasSize(3);
    assertThat(last).hasValue(12);
    nanos.addAndGet(2_000_000);
    open.remove().complete(1L);
    open.remove().completeExceptionally(new IllegalStateException("boom"));
    assertThat(open).hasSize(3);
    ClosedLoop.Interval interval = loop.interval();
    assertThat(interval.micros().getTotalCount()).isEqualTo(1);
    assertThat(interval.micros().getMaxValue()).isBetween(1_990L, 2_010L);
    assertThat(interval.errors()).isEqualTo(1);
    assertThat(loop.firstError()).hasMessage("boom");
    assertThat(loop.stop(Duration.ofMillis(1))).isFalse();
    while (!open.isEmpty()) {
      open.remove().complete(1L);
    }
    assertThat(loop.stop(Duration.ofSeconds(5))).isTrue();
    assertThat(loop.nextNumber()).isEqualTo(15);
  }

  @Test
  void answersThatAreThereAtOnceDoNotFillTheStack() throws Exception {
    AtomicLong calls = new AtomicLong();
    CompletableFuture<Long> gate = new CompletableFuture<>();
    ClosedLoop loop =
        new ClosedLoop(
            1,
            0,
            number ->
                calls.incrementAndGet() < 100_000 ? CompletableFuture.completedFuture(1L) : gate,
            nanos::get);
    loop.start();
    assertThat(calls).hasValue(100_000);
    assertThat(loop.stop(Duration.ofMillis(1))).isFalse();
    gate.complete(1L);
    assertThat(loop.stop(Duration.ofSeconds(5))).isTrue();
  }
}
