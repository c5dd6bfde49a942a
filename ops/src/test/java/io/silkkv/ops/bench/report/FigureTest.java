package io.silkkv.ops.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FigureTest {

  @Test
  void theMiddleRoundStandsForAllAndTheRangeIsKept() {
    assertThat(Figure.median(List.of(9.0, 1.0, 2.0))).isEqualTo(new Figure(2, 1, 9));
    assertThat(Figure.median(List.of(4.0, 1.0, 2.0, 100.0))).isEqualTo(new Figure(3, 1, 100));
  }

  @Test
  void roundsWithoutTheFigureDoNotCount() {
    assertThat(Figure.median(List.of(Double.NaN, 5.0))).isEqualTo(Figure.of(5));
    assertThat(Figure.sum(List.of(Double.NaN, 5.0, 6.0))).isEqualTo(new Figure(11, 5, 6));
    assertThat(Figure.median(List.of(Double.NaN)).isKnown()).isFalse();
    assertThat(Figure.median(List.of()).isKnown()).isFalse();
  }

  @Test
  void rangesOverlapWhenTheyShareAValue() {
    assertThat(new Figure(2, 1, 3).overlaps(new Figure(4, 3, 5))).isTrue();
    assertThat(new Figure(2, 1, 3).overlaps(new Figure(2, 2, 2))).isTrue();
    assertThat(new Figure(2, 1, 3).overlaps(new Figure(4, 3.1, 5))).isFalse();
    assertThat(new Figure(4, 3.1, 5).overlaps(new Figure(2, 1, 3))).isFalse();
  }
}
