package io.silkkv.ops.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ScaleTest {

  @Test
  void aLogarithmicAxisGivesEveryPowerOfTenTheSameRoom() {
    Scale scale = Scale.Log.around(100, 1e6, 300, 0);

    assertThat(scale.ticks()).containsExactly(100.0, 1_000.0, 10_000.0, 100_000.0, 1_000_000.0);
    assertThat(scale.at(100)).isEqualTo(300);
    assertThat(scale.at(1e6)).isEqualTo(0);
    assertThat(scale.at(1_000) - scale.at(10_000))
        .isCloseTo(scale.at(10_000) - scale.at(100_000), within(1e-9));
    assertThat(scale.minorTicks()).hasSize(4 * 8).contains(200.0, 900_000.0);
  }

  @Test
  void anAxisHoldsAllItsValuesAndHasLabels() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 2_000; i++) {
      double smallest = Math.pow(10, 7 * random.nextDouble());
      double largest = smallest * Math.pow(10, 3 * random.nextDouble());
      Scale.Log log = Scale.Log.around(smallest, largest, 300, 0);
      assertThat(log.low()).isLessThanOrEqualTo(smallest * 1.000001);
      assertThat(log.high()).isGreaterThanOrEqualTo(largest * 0.999999);
      assertThat(log.ticks()).isNotEmpty();
      Scale.Linear linear = Scale.Linear.reaching(largest, 5, 300, 0);
      assertThat(linear.max()).isGreaterThanOrEqualTo(largest * 0.999999);
      assertThat(linear.ticks()).hasSizeBetween(2, 8);
    }
  }

  @Test
  void labelsOfRoundNumbersHaveNoIdleZeros() {
    assertThat(HtmlTables.tick(0.5)).isEqualTo("0.5");
    assertThat(HtmlTables.tick(20)).isEqualTo("20");
    assertThat(HtmlTables.tick(200)).isEqualTo("200");
    assertThat(HtmlTables.tick(1_000)).isEqualTo("1,000");
    assertThat(HtmlTables.tick(0)).isEqualTo("0");
    assertThat(HtmlTables.tick(Unit.MICROS, 10_000)).isEqualTo("10\u202fms");
    assertThat(HtmlTables.tick(Unit.MICROS, 2e6)).isEqualTo("2\u202fs");
  }

  @Test
  void valuesOutsideOfTheAxisAreDrawnAtItsEnd() {
    assertThat(Scale.Log.around(10, 100, 300, 0).at(0)).isEqualTo(300);
    assertThat(Scale.Log.around(10, 100, 300, 0).at(1e9)).isEqualTo(0);
    assertThat(Scale.Linear.reaching(0, 5, 300, 0).at(5)).isEqualTo(300);
  }
}
