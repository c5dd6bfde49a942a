package io.silkkv.ops.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnitTest {

  @Test
  void timesHaveThreeDigitsAndTheUnitThatFits() {
    assertThat(Unit.MICROS.text(0.4)).isEqualTo("0.40us");
    assertThat(Unit.MICROS.text(999.4)).isEqualTo("999us");
    assertThat(Unit.MICROS.text(999.6)).isEqualTo("1.00ms");
    assertThat(Unit.MICROS.text(12_340)).isEqualTo("12.3ms");
    assertThat(Unit.MICROS.text(999_600)).isEqualTo("1.00s");
    assertThat(Unit.MILLIS.text(3_400)).isEqualTo("3.40s");
    assertThat(Unit.SECONDS.text(0)).isEqualTo("0");
    assertThat(Unit.SECONDS.text(1_234)).isEqualTo("1,234s");
  }

  @Test
  void bytesAreCountedInPowersOf1024AndRatesInPowersOf1000() {
    assertThat(Unit.BYTES.text(1_023)).isEqualTo("1023B");
    assertThat(Unit.BYTES.text(1_024)).isEqualTo("1.00KiB");
    assertThat(Unit.BYTES.text(1_048_064)).isEqualTo("1.00MiB");
    assertThat(Unit.BYTES.text(24.0 * (1L << 30))).isEqualTo("24.0GiB");
    assertThat(Unit.BYTES_PER_SECOND.text(200e6)).isEqualTo("200MB/s");
  }

  @Test
  void whatWasNotMeasuredIsADash() {
    for (Unit unit : Unit.values()) {
      assertThat(unit.text(Double.NaN)).isEqualTo("-");
    }
  }
}
