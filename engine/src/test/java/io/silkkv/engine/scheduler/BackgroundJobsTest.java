package io.silkkv.engine.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class BackgroundJobsTest {
  @Test
  void requestsBeforeARunAreOneRun() {
    BackgroundJobs jobs = BackgroundJobs.manual();
    AtomicInteger runs = new AtomicInteger();
    BackgroundJobs.Slot slot = jobs.slot(Lane.FLUSH, runs::incrementAndGet);
    slot.request();
    slot.request();
    assertThat(jobs.waiting(Lane.FLUSH)).isEqualTo(1);
    jobs.runAll();
    assertThat(runs).hasValue(1);
    assertThat(jobs.runOne(Lane.FLUSH)).isFalse();
  }

  @Test
  void requestDuringARunLeadsToAnother() {
    for (BackgroundJobs jobs : List.of(BackgroundJobs.manual(), BackgroundJobs.inline())) {
      AtomicInteger runs = new AtomicInteger();
      AtomicReference<BackgroundJobs.Slot> slot = new AtomicReference<>();
      slot.set(
          jobs.slot(
              Lane.DEEP,
              () -> {
                if (runs.incrementAndGet() < 3) {
                  slot.get().request();
                  assertThat(runs.get()).as("not nested").isLessThan(3);
                }
              }));
      slot.get().request();
      jobs.runAll();
      assertThat(runs).hasValue(3);
    }
  }

  @Test
  void slotsOfALaneTakeTurns() {
    BackgroundJobs jobs = BackgroundJobs.manual();
    List<String> order = new ArrayList<>();
    List<BackgroundJobs.Slot> slots = new ArrayList<>();
    for (String name : List.of("a", "b")) {
      int mine = slots.size();
      slots.add(
          jobs.slot(
              Lane.FLUSH,
              () -> {
                order.add(name);
                if (order.size() < 5) {
                  slots.get(mine).request();
                }
              }));
    }
    slots.forEach(BackgroundJobs.Slot::request);
    jobs.runAll();
    assertThat(order).startsWith("a", "b", "a", "b", "a");
  }

  @Test
  void theMostUrgentSlotGoesFirstAndTheOthersAreNotForgotten() {
    BackgroundJobs jobs = BackgroundJobs.manual();
    List<String> order = new ArrayList<>();
    BackgroundJobs.Slot cold = jobs.slot(Lane.L0, () -> order.add("cold"), () -> 1);
    List<BackgroundJobs.Slot> hot = new ArrayList<>();
    hot.add(
        jobs.slot(
            Lane.L0,
            () -> {
              order.add("hot");
              hot.get(0).request();
            },
            () -> 3.9));
    cold.request();
    hot.get(0).request();
    for (int i = 0; i < 20; i++) {
      assertThat(jobs.runOne(Lane.L0)).isTrue();
    }
    assertThat(order).startsWith("hot", "hot").containsOnlyOnce("cold");
  }

  @Test
  void lanesDoNotWaitForEachOther() throws Exception {
    try (BackgroundJobs jobs = BackgroundJobs.threads(1)) {
      CountDownLatch flushed = new CountDownLatch(1);
      CountDownLatch merged = new CountDownLatch(1);
      BackgroundJobs.Slot deep =
          jobs.slot(
              Lane.DEEP,
              () -> {
                await(flushed);
                merged.countDown();
              });
      deep.request();
      jobs.slot(Lane.FLUSH, flushed::countDown).request();
      assertThat(merged.await(10, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void closeOfASlotWaitsForItsRunAndNothingRunsAfterIt() throws Exception {
    try (BackgroundJobs jobs = BackgroundJobs.threads(1)) {
      CountDownLatch started = new CountDownLatch(1);
      CountDownLatch release = new CountDownLatch(1);
      AtomicBoolean ended = new AtomicBoolean();
      AtomicInteger runs = new AtomicInteger();
      BackgroundJobs.Slot slot =
          jobs.slot(
              Lane.L0,
              () -> {
                runs.incrementAndGet();
                started.countDown();
                await(release);
                ended.set(true);
              });
      slot.request();
      await(started);
      slot.request();
      AtomicBoolean endedBeforeClose = new AtomicBoolean();
      Thread closer =
          new Thread(
              () -> {
                slot.close();
                endedBeforeClose.set(ended.get());
              });
      closer.start();
      release.countDown();
      closer.join();
      assertThat(endedBeforeClose).isTrue();
      int runsBefore = runs.get();
      slot.request();
      assertThat(runs).hasValue(runsBefore);
      assertThat(jobs.waiting(Lane.L0)).isZero();
    }
  }

  @Test
  void slotMayBeClosedFromItsOwnRun() throws Exception {
    try (BackgroundJobs jobs = BackgroundJobs.threads(1)) {
      CountDownLatch done = new CountDownLatch(1);
      AtomicReference<BackgroundJobs.Slot> slot = new AtomicReference<>();
      slot.set(
          jobs.slot(
              Lane.NOTICE,
              () -> {
                slot.get().close();
                done.countDown();
              }));
      slot.get().request();
      await(done);
    }
  }

  @Test
  void jobThatThrowsDoesNotEndItsThread() throws Exception {
    try (BackgroundJobs jobs = BackgroundJobs.threads(1)) {
      CountDownLatch done = new CountDownLatch(1);
      jobs.slot(
              Lane.CLEANUP,
              () -> {
                throw new IllegalStateException("expected by the test");
              })
          .request();
      jobs.slot(Lane.CLEANUP, done::countDown).request();
      await(done);
    }
  }

  @Test
  void closeDropsWhatIsQueued() {
    BackgroundJobs jobs = BackgroundJobs.manual();
    AtomicInteger runs = new AtomicInteger();
    BackgroundJobs.Slot slot = jobs.slot(Lane.FLUSH, runs::incrementAndGet);
    slot.request();
    jobs.close();
    jobs.runAll();
    slot.request();
    jobs.runAll();
    assertThat(runs).hasValue(0);
  }

  @Test
  void atLeastOneThreadIsNeeded() {
    assertThatThrownBy(() -> BackgroundJobs.threads(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("threadsPerLane 0");
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
