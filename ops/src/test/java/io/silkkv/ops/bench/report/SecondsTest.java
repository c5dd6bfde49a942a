package io.silkkv.ops.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class SecondsTest {

  @Test
  void aLongRunIsJoinedIntoBucketsAndNoStallGetsLost() {
    Seconds seconds = Seconds.of(3_001);
    List<Double> p99 = new ArrayList<>(Collections.nCopies(3_001, 1_000.0));
    p99.set(1_234, 2e6);
    p99.set(3_000, 3e6);

    assertThat(seconds.buckets()).isLessThanOrEqualTo(600);
    assertThat(seconds.buckets() * seconds.perBucket()).isGreaterThanOrEqualTo(3_001);
    List<Double> worst = seconds.worst(p99);
    assertThat(worst).hasSize(seconds.buckets());
    assertThat(worst.get(1_234 / seconds.perBucket())).isEqualTo(2e6);
    assertThat(worst.get(worst.size() - 1)).isEqualTo(3e6);
    assertThat(worst.stream().filter(value -> value == 1_000)).hasSize(worst.size() - 2);
  }

  @Test
  void secondsWithoutAValueDoNotPullAMeanDown() {
    Seconds seconds = new Seconds(5, 2);

    assertThat(seconds.mean(List.of(4.0, Double.NaN, 1.0, 3.0, Double.NaN)))
        .containsExactly(4.0, 2.0, Double.NaN);
    assertThat(seconds.worst(List.of(Double.NaN, 4.0)))
        .containsExactly(4.0, Double.NaN, Double.NaN);
  }

  @Test
  void aSecondIsBadWhenItsP99IsOverTenTimesTheMedianSeconds() {
    assertThat(BadSeconds.of(List.of(1.0, 2.0, 3.0, 20.0, 20.1, Double.NaN, 3.0)))
        .containsExactly(false, false, false, false, false, false, false);
    assertThat(BadSeconds.of(List.of(1.0, 2.0, 2.0, 20.0, 20.1, Double.NaN)))
        .containsExactly(false, false, false, false, true, false);
    assertThat(BadSeconds.of(List.of())).isEmpty();
  }
}
