package io.silkkv.engine.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.silkkv.engine.io.IoClass;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** In virtual time: the test plays the threads that wait. */
class PriorityLedgerTest {
  private static final int REQUEST = IoRequest.MAX_BYTES;
  private static final long MILLI = 1_000_000;
  private static final long MB = 1_000_000;

  private long now = 5_000;
  private final PriorityLedger ledger = new PriorityLedger(true, now);

  private IoRequest ask(IoClass why, IoJob job) {
    IoRequest request = new IoRequest(why, REQUEST, 0, job, null);
    ledger.add(request, now);
    ledger.advance(now);
    return request;
  }

  private IoRequest ask(IoClass why) {
    return ask(why, null);
  }

  private IoJob job(IoClass why, long totalBytes, double urgency) {
    return new IoJob(
        new IoJob.Description(why, totalBytes / 2, totalBytes, () -> urgency, () -> false),
        now,
        0,
        null);
  }

  private void passes(long nanos) {
    now += nanos;
    ledger.advance(now);
  }

  /** One thread per class that always wants more; bytes that each gets within a time. */
  private Map<IoClass, Long> run(long nanos, IoClass... classes) {
    Map<IoClass, IoRequest> open = new EnumMap<>(IoClass.class);
    Map<IoClass, Long> got = new EnumMap<>(IoClass.class);
    for (IoClass why : classes) {
      open.put(why, ask(why));
      got.put(why, 0L);
    }
    for (long end = now + nanos; now < end; passes(MILLI / 2)) {
      for (IoClass why : classes) {
        for (int i = 0; i < 100 && open.get(why).granted(); i++) {
          got.merge(why, (long) REQUEST, Long::sum);
          open.put(why, ask(why));
        }
      }
    }
    open.values().stream().filter(request -> !request.granted()).forEach(ledger::remove);
    return got;
  }

  @Test
  void aLoneClassGetsTheWholeRate() {
    ledger.setRate(100 * MB, now);
    for (IoClass why : List.of(IoClass.FLUSH, IoClass.L0, IoClass.DEEP, IoClass.DELETE)) {
      assertThat(run(1_000 * MILLI, why).get(why)).isCloseTo(100 * MB, within(2 * MB));
    }
  }

  @Test
  void theHigherClassGoesFirst() {
    ledger.setRate(100 * MB, now);
    Map<IoClass, Long> got = run(1_000 * MILLI, IoClass.DEEP, IoClass.L0, IoClass.FLUSH);
    assertThat(got.get(IoClass.FLUSH)).isCloseTo(100 * MB, within(2 * MB));
    assertThat(got.get(IoClass.L0)).isZero();
    assertThat(got.get(IoClass.DEEP)).isZero();
  }

  @Test
  void aReserveHoldsAgainstHigherClassesAndNotOnTopOfTheRate() {
    ledger.setRate(100 * MB, now);
    ledger.reserve(IoClass.L0, 30 * MB, now);
    ledger.reserve(IoClass.TRANSFER, MB, now);
    Map<IoClass, Long> got =
        run(2_000 * MILLI, IoClass.FLUSH, IoClass.L0, IoClass.DEEP, IoClass.TRANSFER);
    assertThat(got.get(IoClass.FLUSH)).isCloseTo(138 * MB, within(3 * MB));
    assertThat(got.get(IoClass.L0)).isCloseTo(60 * MB, within(2 * MB));
    assertThat(got.get(IoClass.TRANSFER)).isCloseTo(2 * MB, within(MB));
    assertThat(got.get(IoClass.DEEP)).isZero();
  }

  @Test
  void reservesThatExceedTheRateLeaveNoDebtForLater() {
    ledger.setRate(MB, now);
    ledger.reserve(IoClass.FLUSH, 50 * MB, now);
    assertThat(run(60_000 * MILLI, IoClass.FLUSH).get(IoClass.FLUSH)).isGreaterThan(2_000 * MB);
    ledger.setRate(100 * MB, now);
    passes(5 * MILLI);
    assertThat(ask(IoClass.DEEP).granted()).isTrue();
  }

  @Test
  void aReserveThatIsNotUsedGoesToTheOthers() {
    ledger.setRate(100 * MB, now);
    ledger.reserve(IoClass.FLUSH, 40 * MB, now);
    ledger.reserve(IoClass.L0, 40 * MB, now);
    assertThat(run(1_000 * MILLI, IoClass.DEEP).get(IoClass.DEEP))
        .isCloseTo(100 * MB, within(2 * MB));
  }

  @Test
  void atTheFloorFlushAndLevelZeroShareEvenly() {
    ledger.setRate(20 * MB, now);
    ledger.reserve(IoClass.FLUSH, 10 * MB, now);
    ledger.reserve(IoClass.L0, 10 * MB, now);
    ledger.setPaused(IoClass.DEEP, true);
    Map<IoClass, Long> got = run(2_000 * MILLI, IoClass.FLUSH, IoClass.L0, IoClass.DEEP);
    assertThat(got.get(IoClass.FLUSH)).isCloseTo(20 * MB, within(2 * MB));
    assertThat(got.get(IoClass.L0)).isCloseTo(20 * MB, within(2 * MB));
    assertThat(got.get(IoClass.DEEP)).isZero();
  }

  @Test
  void aBurstAfterIdlenessIsShort() {
    ledger.setRate(200 * MB, now);
    passes(3_600_000 * MILLI);
    int granted = 0;
    while (ask(IoClass.DEEP).granted()) {
      granted++;
    }
    assertThat(granted * (long) REQUEST).as("at most 5 ms of the rate").isBetween(1L, MB);
  }

  @Test
  void grantsAreSpreadEvenly() {
    ledger.setRate(100 * MB, now);
    passes(1_000 * MILLI);
    while (ask(IoClass.DEEP).granted()) {
      // Uses up what idleness has gathered; the last request stays.
    }
    int most = 0;
    for (int i = 0; i < 100; i++) {
      passes(10 * MILLI);
      int granted = 1;
      while (ask(IoClass.DEEP).granted()) {
        granted++;
      }
      most = Math.max(most, granted);
    }
    assertThat(most * (long) REQUEST).as("bytes in any 10 ms").isLessThanOrEqualTo(1_200_000);
  }

  @Test
  void pausingIsAState() {
    ledger.setRate(100 * MB, now);
    ledger.setPaused(IoClass.DEEP, true);
    ledger.setPaused(IoClass.DEEP, true);
    passes(100 * MILLI);
    IoRequest request = ask(IoClass.DEEP);
    passes(10_000 * MILLI);
    assertThat(request.granted()).isFalse();
    assertThat(ledger.nanosUntilDue(request, now)).isEqualTo(Long.MAX_VALUE);
    ledger.setPaused(IoClass.DEEP, false);
    ledger.advance(now);
    assertThat(request.granted()).isTrue();
  }

  @Test
  void aPausedClassDoesNotHoldUpThoseBelow() {
    ledger.setRate(100 * MB, now);
    ledger.setPaused(IoClass.DEEP, true);
    passes(100 * MILLI);
    ask(IoClass.DEEP);
    assertThat(ask(IoClass.TRANSFER).granted()).isTrue();
  }

  @Test
  void aHigherRateHoldsFromThatMomentOn() {
    ledger.setRate(MB, now);
    ask(IoClass.L0);
    IoRequest waiting = ask(IoClass.L0);
    assertThat(ledger.nanosUntilDue(waiting, now)).isGreaterThan(100 * MILLI);
    ledger.setRate(200 * MB, now);
    assertThat(ledger.nanosUntilDue(waiting, now)).isLessThan(2 * MILLI);
    passes(2 * MILLI);
    assertThat(waiting.granted()).isTrue();
  }

  @Test
  void whoeverHasTheLeastLeftGoesFirst() {
    ledger.setRate(MB, now);
    IoRequest large = ask(IoClass.DEEP, job(IoClass.DEEP, 1_000 * MB, 0));
    IoRequest small = ask(IoClass.DEEP, job(IoClass.DEEP, 10 * MB, 0));
    passes(140 * MILLI);
    assertThat(small.granted()).isTrue();
    assertThat(large.granted()).isFalse();
  }

  @Test
  void theHotShardsLevelZeroJobBeatsTheColdOnes() {
    ledger.setRate(MB, now);
    IoRequest cold = ask(IoClass.L0, job(IoClass.L0, MB, 1));
    IoRequest hot = ask(IoClass.L0, job(IoClass.L0, 1_000 * MB, 3));
    passes(140 * MILLI);
    assertThat(hot.granted()).isTrue();
    assertThat(cold.granted()).isFalse();
  }

  @Test
  void aLargeJobIsNotStarvedBySmallOnes() {
    ledger.setRate(10 * MB, now);
    IoRequest large = ask(IoClass.DEEP, job(IoClass.DEEP, 1_000_000 * MB, 0));
    int small = 0;
    IoRequest next = ask(IoClass.DEEP, job(IoClass.DEEP, MB, 0));
    while (!large.granted() && small < 100_000) {
      if (next.granted()) {
        small++;
        next = ask(IoClass.DEEP, job(IoClass.DEEP, MB, 0));
      }
      passes(MILLI);
    }
    assertThat(large.granted()).isTrue();
    assertThat(small).as("half a minute of them went before").isBetween(2_000, 2_500);
  }

  @Test
  void aClassThatUsedUpItsProcessorShareWaitsAndHoldsUpNobody() {
    ledger.setRate(100 * MB, now);
    ledger.limitCpu(IoClass.DEEP, 0.5, now);
    passes(100 * MILLI);
    IoRequest used = new IoRequest(IoClass.DEEP, REQUEST, 100 * MILLI, null, null);
    ledger.add(used, now);
    ledger.advance(now);
    assertThat(used.granted()).isFalse();
    assertThat(ask(IoClass.TRANSFER).granted()).isTrue();
    long due = ledger.nanosUntilDue(used, now);
    assertThat(due)
        .as("twice the time less what idleness gave")
        .isBetween(150 * MILLI, 200 * MILLI);
    passes(due);
    assertThat(used.granted()).isTrue();
  }

  @Test
  void everyWaitEndsWhenItSaidSo() {
    ledger.setRate(50 * MB, now);
    ledger.reserve(IoClass.L0, 5 * MB, now);
    List<IoRequest> all =
        List.of(
            ask(IoClass.FLUSH),
            ask(IoClass.FLUSH),
            ask(IoClass.L0),
            ask(IoClass.L0),
            ask(IoClass.DEEP),
            ask(IoClass.DEEP),
            ask(IoClass.SCRUB));
    int steps = 0;
    while (all.stream().anyMatch(request -> !request.granted())) {
      long soonest =
          all.stream()
              .filter(request -> !request.granted())
              .mapToLong(request -> ledger.nanosUntilDue(request, now))
              .min()
              .orElseThrow();
      passes(Math.max(1, soonest));
      steps++;
      assertThat(steps).as("wake-ups for seven requests").isLessThan(30);
    }
    assertThat(now).isLessThan(5_000 + 20 * MILLI);
  }

  @Test
  void withoutPrioritiesItIsFirstComeFirstServed() {
    PriorityLedger plain = new PriorityLedger(false, now);
    plain.setRate(MB, now);
    IoRequest deep = new IoRequest(IoClass.DEEP, REQUEST, 0, job(IoClass.DEEP, MB, 0), null);
    IoRequest flush = new IoRequest(IoClass.FLUSH, REQUEST, 0, job(IoClass.FLUSH, MB, 5), null);
    plain.add(deep, now);
    plain.add(flush, now);
    now += 140 * MILLI;
    plain.advance(now);
    assertThat(deep.granted()).isTrue();
    assertThat(flush.granted()).isFalse();
    assertThat(plain.waiting(IoClass.FLUSH)).isEqualTo(1);
    assertThat(plain.waiting(IoClass.DEEP)).isZero();
    plain.remove(flush);
    assertThat(plain.waiting(IoClass.FLUSH)).isZero();
  }

  @Test
  void aClockThatGoesBackGrantsNothing() {
    ledger.setRate(MB, now);
    IoRequest request = ask(IoClass.FLUSH);
    passes(-1_000_000 * MILLI);
    assertThat(request.granted()).isFalse();
  }
}
