package io.silkkv.ops.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.ops.bench.load.Schedule.Arrivals;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ScheduleTest {
  private static final long SECOND = 1_000_000_000L;
  private static final List<Phase> BURST = List.of(new Phase(5, 200), new Phase(1, 10));

  private static Schedule even(List<Phase> phases, double seconds, long most) {
    return Schedule.of(phases, seconds, most, Arrivals.EVEN, 0);
  }

  @Test
  void operationsOfAPhaseLieAtEqualDistances() {
    Schedule schedule = Schedule.constant(2, 4);
    assertThat(schedule.count()).isEqualTo(8);
    assertThat(schedule.lengthNanos()).isEqualTo(2 * SECOND);
    assertThat(LongStream.range(0, 8).map(schedule::nanosAt))
        .containsExactly(
            0L,
            250_000_000L,
            500_000_000L,
            750_000_000L,
            SECOND,
            1_250_000_000L,
            1_500_000_000L,
            1_750_000_000L);
  }

  @Test
  void phasesRepeatUntilTheTimeIsOverAndTheLastIsCut() {
    Schedule schedule = even(BURST, 14.5, Long.MAX_VALUE);
    assertThat(schedule.count()).isEqualTo(1_000 + 10 + 1_000 + 10 + 500);
    assertThat(schedule.nanosAt(1_000)).isEqualTo(5 * SECOND);
    assertThat(schedule.nanosAt(1_009)).isEqualTo(5 * SECOND + 900_000_000);
    assertThat(schedule.nanosAt(1_010)).isEqualTo(6 * SECOND);
    assertThat(schedule.lengthNanos()).isEqualTo(14_500_000_000L);
  }

  @Test
  void theCountEndsAScheduleBeforeItsTime() {
    Schedule schedule = even(BURST, 1_000, 1_005);
    assertThat(schedule.count()).isEqualTo(1_005);
    assertThat(schedule.lengthNanos()).isEqualTo(5 * SECOND + 500_000_000);
  }

  @Test
  void silenceHasNoOperationsButTakesItsTime() {
    Schedule schedule =
        even(List.of(new Phase(1, 0), new Phase(1, 3), new Phase(2, 0)), 4, Long.MAX_VALUE);
    assertThat(schedule.count()).isEqualTo(3);
    assertThat(schedule.nanosAt(0)).isEqualTo(SECOND);
    assertThat(schedule.lengthNanos()).isEqualTo(4 * SECOND);
  }

  @Test
  void countsPerSecondAddUpToAll() {
    for (Arrivals arrivals : Arrivals.values()) {
      Schedule schedule = Schedule.of(BURST, 20, Long.MAX_VALUE, arrivals, 7);
      long before = 0;
      for (int second = 1; second <= 20; second++) {
        long count = schedule.countBefore(second * SECOND);
        assertThat(count).isGreaterThanOrEqualTo(before);
        if (count > 0) {
          assertThat(schedule.nanosAt(count - 1)).isLessThan(second * SECOND);
        }
        if (count < schedule.count()) {
          assertThat(schedule.nanosAt(count)).isGreaterThanOrEqualTo(second * SECOND);
        }
        before = count;
      }
      assertThat(before).isEqualTo(schedule.count());
    }
  }

  @Test
  void timesNeverGoBackwards() {
    for (Arrivals arrivals : Arrivals.values()) {
      Schedule schedule =
          Schedule.of(
              List.of(new Phase(0.3, 7.7), new Phase(0.7, 1_333.3)),
              9.99,
              Long.MAX_VALUE,
              arrivals,
              3);
      for (long number = 1; number < schedule.count(); number++) {
        assertThat(schedule.nanosAt(number)).isGreaterThanOrEqualTo(schedule.nanosAt(number - 1));
      }
      assertThat(schedule.nanosAt(schedule.count() - 1)).isLessThan(schedule.lengthNanos());
    }
  }

  @Test
  void poissonArrivalsHaveTheRateAndTheSpreadOfAPoissonProcess() {
    Schedule schedule =
        Schedule.of(List.of(new Phase(100, 1_000)), 100, Long.MAX_VALUE, Arrivals.POISSON, 42);
    // Counts per 10 ms: mean and variance are both 10; both bounds are over five deviations away.
    double sum = 0;
    double squares = 0;
    int windows = 10_000;
    for (int window = 0; window < windows; window++) {
      long count =
          schedule.countBefore((window + 1) * 10_000_000L)
              - schedule.countBefore(window * 10_000_000L);
      sum += count;
      squares += (double) count * count;
    }
    double mean = sum / windows;
    assertThat(mean).isBetween(9.8, 10.2);
    assertThat(squares / windows - mean * mean).isBetween(9.2, 10.8);
    Schedule again =
        Schedule.of(List.of(new Phase(100, 1_000)), 100, Long.MAX_VALUE, Arrivals.POISSON, 42);
    assertThat(again.count()).isEqualTo(schedule.count());
    assertThat(again.nanosAt(777)).isEqualTo(schedule.nanosAt(777));
  }

  @Test
  void thePeakScalesAllPhases() {
    assertThat(Phase.scaledToPeak(BURST, 400)).containsExactly(new Phase(5, 400), new Phase(1, 20));
  }

  @Test
  void nonsenseIsRefused() {
    assertThatThrownBy(() -> new Phase(0, 1)).hasMessageContaining("seconds must be above 0");
    assertThatThrownBy(() -> new Phase(1, -1)).hasMessageContaining("at least 0");
    assertThatThrownBy(() -> even(List.of(), 1, 1)).hasMessageContaining("needs a phase");
    assertThatThrownBy(() -> Schedule.constant(1, 2).nanosAt(2)).hasMessageContaining("2 of 2");
  }
}
