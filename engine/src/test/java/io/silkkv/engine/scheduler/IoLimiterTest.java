package io.silkkv.engine.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.io.IoClass;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Time stands still unless the test moves it, so only what the test does can end a wait. */
@Timeout(60)
class IoLimiterTest {
  private final AtomicLong now = new AtomicLong(1_000);
  private final IoLimiter<PriorityLedger> limiter =
      new IoLimiter<>(new PriorityLedger(true, now.get()), now::get, Long.MAX_VALUE);

  private CompletableFuture<Void> acquire(IoClass why, IoJob job) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              limiter.acquire(why, IoRequest.MAX_BYTES, 0, job);
              done.complete(null);
            });
    thread.setDaemon(true);
    thread.start();
    return done;
  }

  private void awaitWaiting(IoClass why, int count) {
    while (waiting(why) != count) {
      Thread.onSpinWait();
    }
  }

  private int waiting(IoClass why) {
    return limiter.figures().stream()
        .filter(figures -> figures.why() == why)
        .findFirst()
        .orElseThrow()
        .waiting();
  }

  @Test
  void aHigherRateWakesThoseWhoWait() {
    CompletableFuture<Void> deep = acquire(IoClass.DEEP, null);
    awaitWaiting(IoClass.DEEP, 1);
    assertThat(deep).isNotDone();
    limiter.update((ledger, time) -> ledger.setRate(1L << 40, time));
    now.addAndGet(1_000_000);
    limiter.wakeStopped();
    deep.join();
    assertThat(limiter.figures())
        .filteredOn(figures -> figures.why() == IoClass.DEEP)
        .singleElement()
        .satisfies(
            figures -> {
              assertThat(figures.requests()).isEqualTo(1);
              assertThat(figures.bytes()).isEqualTo(IoRequest.MAX_BYTES);
              assertThat(figures.waits()).isEqualTo(1);
              assertThat(figures.waitedNanos()).isEqualTo(1_000_000);
            });
  }

  @Test
  void resumingWakesThoseWhoWerePaused() {
    limiter.update(
        (ledger, time) -> {
          ledger.setRate(1L << 40, time);
          ledger.setPaused(IoClass.DEEP, true);
        });
    now.addAndGet(1_000_000);
    CompletableFuture<Void> deep = acquire(IoClass.DEEP, null);
    awaitWaiting(IoClass.DEEP, 1);
    limiter.update((ledger, time) -> ledger.setPaused(IoClass.DEEP, false));
    deep.join();
  }

  @Test
  void aJobThatShouldStopWaitsNoLongerAndIsForgotten() {
    AtomicBoolean stopped = new AtomicBoolean();
    IoJob job =
        new IoJob(new IoJob.Description(IoClass.DEEP, 1, 1, () -> 0, stopped::get), 0, 0, null);
    CompletableFuture<Void> deep = acquire(IoClass.DEEP, job);
    awaitWaiting(IoClass.DEEP, 1);
    stopped.set(true);
    limiter.wakeStopped();
    deep.join();
    assertThat(waiting(IoClass.DEEP)).isZero();
    acquire(IoClass.DEEP, job).join();
  }

  @Test
  void aJobThatShouldStopSeesItAlsoWhenNobodyWakesIt() {
    AtomicBoolean stopped = new AtomicBoolean();
    IoLimiter<PriorityLedger> looking =
        new IoLimiter<>(new PriorityLedger(true, now.get()), now::get, 1_000_000);
    IoJob job =
        new IoJob(new IoJob.Description(IoClass.DEEP, 1, 1, () -> 0, stopped::get), 0, 0, null);
    CompletableFuture<Void> done =
        CompletableFuture.runAsync(() -> looking.acquire(IoClass.DEEP, 1, 0, job));
    stopped.set(true);
    done.join();
  }

  @Test
  void closingEndsAllWaitsAndThoseThatWouldBegin() {
    CompletableFuture<Void> flush = acquire(IoClass.FLUSH, null);
    CompletableFuture<Void> transfer = acquire(IoClass.TRANSFER, null);
    awaitWaiting(IoClass.FLUSH, 1);
    awaitWaiting(IoClass.TRANSFER, 1);
    limiter.close();
    flush.join();
    transfer.join();
    acquire(IoClass.L0, null).join();
    limiter.close();
  }

  @Test
  void anInterruptDoesNotEndAWaitAndIsKept() throws Exception {
    AtomicBoolean interrupted = new AtomicBoolean();
    Thread thread =
        new Thread(
            () -> {
              limiter.acquire(IoClass.FLUSH, 1, 0, null);
              interrupted.set(Thread.interrupted());
            });
    thread.start();
    awaitWaiting(IoClass.FLUSH, 1);
    thread.interrupt();
    limiter.update((ledger, time) -> ledger.setPaused(IoClass.DEEP, true));
    assertThat(waiting(IoClass.FLUSH)).isEqualTo(1);
    limiter.close();
    thread.join();
    assertThat(interrupted).isTrue();
  }

  @Test
  void manyThreadsGetExactlyWhatTheyAskFor() throws Exception {
    IoLimiter<PriorityLedger> real =
        new IoLimiter<>(
            new PriorityLedger(true, System.nanoTime()), System::nanoTime, Long.MAX_VALUE);
    real.update((ledger, time) -> ledger.setRate(1L << 30, time));
    IoClass[] classes = {IoClass.FLUSH, IoClass.L0, IoClass.DEEP, IoClass.SCRUB};
    Thread[] threads = new Thread[8];
    for (int i = 0; i < threads.length; i++) {
      IoClass why = classes[i % classes.length];
      threads[i] =
          new Thread(
              () -> {
                for (int j = 0; j < 200; j++) {
                  real.acquire(why, 50_000, 0, null);
                }
              });
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(real.figures())
        .filteredOn(figures -> figures.requests() > 0)
        .hasSize(4)
        .allSatisfy(figures -> assertThat(figures.bytes()).isEqualTo(400 * 50_000L));
  }
}
