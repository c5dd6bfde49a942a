package io.silkkv.engine.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.io.IoClass;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RefillLedgerTest {
  private static final long PERIOD = RefillLedger.PERIOD_NANOS;
  private static final long MB = 1_000_000;

  private long now;

  private IoRequest ask(RefillLedger ledger, IoClass why, int bytes) {
    IoRequest request = new IoRequest(why, bytes, 0, null, null);
    ledger.add(request, now);
    ledger.advance(now);
    return request;
  }

  /** Asks for as much as it gets; bytes granted until {@code end}. */
  private long greedy(RefillLedger ledger, long end) {
    long granted = 0;
    IoRequest open = ask(ledger, IoClass.DEEP, 100_000);
    while (now < end) {
      while (open.granted()) {
        granted += 100_000;
        open = ask(ledger, IoClass.DEEP, 100_000);
      }
      now += ledger.nanosUntilDue(open, now);
      ledger.advance(now);
    }
    ledger.remove(open);
    return granted;
  }

  @Test
  void aRefillGivesWhatThePeriodIsWorth() {
    RefillLedger ledger = new RefillLedger(10 * MB, null, new SplittableRandom(1), now);
    assertThat(greedy(ledger, 50 * PERIOD)).isBetween(49 * MB, 52 * MB);
  }

  @Test
  void whatIsLeftOfAPeriodIsLost() {
    RefillLedger ledger = new RefillLedger(10 * MB, null, new SplittableRandom(1), now);
    now += 100 * PERIOD;
    ledger.advance(now);
    int granted = 0;
    while (ask(ledger, IoClass.DEEP, 100_000).granted()) {
      granted++;
    }
    assertThat(granted).isEqualTo(10);
  }

  @Test
  void theRestGoesBeforeFlushesInOneOfTenRefills() {
    RefillLedger ledger = new RefillLedger(MB, null, new SplittableRandom(7), now);
    ask(ledger, IoClass.FLUSH, 100_000);
    int lowFirst = 0;
    for (int i = 0; i < 1_000; i++) {
      IoRequest deep = ask(ledger, IoClass.DEEP, 100_000);
      IoRequest flush = ask(ledger, IoClass.FLUSH, 100_000);
      now += PERIOD;
      ledger.advance(now);
      assertThat(deep.granted()).isNotEqualTo(flush.granted());
      lowFirst += deep.granted() ? 1 : 0;
      ledger.remove(deep);
      ledger.remove(flush);
    }
    assertThat(lowFirst).isBetween(60, 140);
  }

  @Test
  void aRequestLargerThanARefillIsGrantedInParts() {
    RefillLedger ledger = new RefillLedger(MB, null, new SplittableRandom(1), now);
    IoRequest request = ask(ledger, IoClass.DEEP, 130_000);
    assertThat(request.granted()).isFalse();
    now += PERIOD;
    ledger.advance(now);
    assertThat(request.granted()).isTrue();
  }

  @Test
  void autoTuningGoesUpWhileRefillsAreUsedUpAndToTheMinimumWithoutDemand() {
    AutoTune tune = new AutoTune(200 * MB);
    RefillLedger ledger = new RefillLedger(tune.first(), tune, new SplittableRandom(1), now);
    assertThat(ledger.ratePerSecond()).isEqualTo(100 * MB);
    greedy(ledger, now + 101 * PERIOD);
    ask(ledger, IoClass.FLUSH, 1);
    assertThat(ledger.ratePerSecond()).isEqualTo(105 * MB);
    greedy(ledger, now + 3_000 * PERIOD);
    assertThat(ledger.ratePerSecond()).as("the largest").isEqualTo(200 * MB);
    now += 150 * PERIOD;
    ask(ledger, IoClass.FLUSH, 1);
    now += 150 * PERIOD;
    ask(ledger, IoClass.FLUSH, 1);
    assertThat(ledger.ratePerSecond()).as("a twentieth").isEqualTo(10 * MB);
  }

  @Test
  void autoTuningFollowsItsWatermarks() {
    AutoTune tune = new AutoTune(200 * MB);
    assertThat(tune.next(100 * MB, 0, 100)).isEqualTo(10 * MB);
    assertThat(tune.next(105 * MB, 49, 100)).isEqualTo(100 * MB);
    assertThat(tune.next(100 * MB, 50, 100)).isEqualTo(100 * MB);
    assertThat(tune.next(100 * MB, 90, 100)).isEqualTo(100 * MB);
    assertThat(tune.next(100 * MB, 91, 100)).isEqualTo(105 * MB);
    assertThat(tune.next(199 * MB, 100, 100)).isEqualTo(200 * MB);
    assertThat(tune.next(Long.MAX_VALUE / 2, 10, 100)).isPositive();
  }
}
