package io.silkkv.ops.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** One thread that sends to a target with slots, as in an open loop, in virtual time. */
class LatenessTest {
  private static final long MICRO = 1_000;
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;

  private final Lateness lateness = new Lateness();

  /** Of the operations, the highest delay from due to sent. */
  private long longestDelay;

  /**
   * @param own what the generator takes for each operation
   * @param submit what the target keeps the thread for
   * @param service from the send to the answer, by the time of the send
   */
  private void run(
      int slots, double rate, double seconds, long own, long submit, LongUnaryOperator service) {
    PriorityQueue<Busy> free = new PriorityQueue<>(Comparator.comparingLong(Busy::freeAt));
    for (int i = 0; i < slots; i++) {
      free.add(new Busy());
    }
    Busy thread = new Busy();
    Schedule schedule = Schedule.constant(seconds, rate);
    long now = 0;
    for (long number = 0; number < schedule.count(); number++) {
      long due = schedule.nanosAt(number);
      Busy slot = free.remove();
      now = Math.max(Math.max(now, due), slot.freeAt()) + own;
      longestDelay = Math.max(longestDelay, now - due);
      lateness.sent(thread, slot, due, now);
      thread.free(now, now + submit);
      slot.free(now, now + service.applyAsLong(now));
      free.add(slot);
      now += submit;
    }
  }

  @Test
  void aStallOfTheSystemIsNotTheGeneratorsFault() {
    run(
        64,
        5_000,
        60,
        20 * MICRO,
        10 * MICRO,
        sent -> sent > 10 * SECOND && sent < 13 * SECOND ? 13 * SECOND - sent : MILLI);
    assertThat(longestDelay).isGreaterThan(2_900 * MILLI);
    lateness.excuse((from, to) -> false);
    assertThat(lateness.figures(0).latenessMax()).isLessThan(100 * MILLI);
    assertThat(lateness.figures(0).latenessP99()).isLessThan(60 * MILLI);
    assertThat(lateness.figures(0).behind()).isGreaterThan(0.05);
  }

  @Test
  void aSystemThatIsTooSlowIsNotTheGeneratorsFault() {
    run(4, 1_000, 20, 50 * MICRO, 10 * MICRO, sent -> 10 * MILLI);
    assertThat(longestDelay).isGreaterThan(20 * SECOND);
    lateness.excuse((from, to) -> false);
    assertThat(lateness.figures(0).latenessP99()).isLessThan(longestDelay / 50);
  }

  @Test
  void aThreadThatNeedsTooLongForItselfIsTheGeneratorsFault() {
    run(64, 20_000, 20, 60 * MICRO, 10 * MICRO, sent -> MILLI);
    assertThat(longestDelay).isGreaterThan(7 * SECOND);
    lateness.excuse((from, to) -> false);
    assertThat(lateness.figures(0).latenessP99()).isGreaterThan(longestDelay / 2);
  }

  @Test
  void aTargetThatKeepsTheThreadIsNotTheGeneratorsFault() {
    run(64, 20_000, 20, 2 * MICRO, 80 * MICRO, sent -> MILLI);
    assertThat(longestDelay).isGreaterThan(10 * SECOND);
    lateness.excuse((from, to) -> false);
    assertThat(lateness.figures(0).latenessP99()).isLessThan(longestDelay / 20);
  }

  @Test
  void aPauseOfTheJvmExcusesWhatWasDueInIt() {
    try (JvmPauses pauses = JvmPauses.watch(() -> 0)) {
      pauses.add(100 * MILLI, 200 * MILLI);
      Busy thread = new Busy();
      lateness.sent(thread, thread, 110 * MILLI, 200 * MILLI);
      lateness.sent(thread, thread, 300 * MILLI, 340 * MILLI);
      lateness.excuse(pauses::between);
      assertThat(lateness.figures(0).latenessMax()).isBetween(39 * MILLI, 41 * MILLI);
      assertThat(lateness.figures(0).latenessP50()).isLessThan(1_000);
    }
  }

  @Test
  void theCollectorTellsOfItsPauses() {
    long began = System.nanoTime();
    try (JvmPauses pauses = JvmPauses.watch(System::nanoTime)) {
      System.gc();
      await().until(() -> pauses.between(began, System.nanoTime()));
      assertThat(pauses.between(began - 60 * SECOND, began - 50 * SECOND)).isFalse();
    }
  }
}
