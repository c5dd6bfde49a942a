package io.silkkv.engine.version;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TierTest {
  private static Levels holding(int... levels) {
    List<List<TableMetadata>> tables = new ArrayList<>();
    for (int level = 0; level < Levels.COUNT; level++) {
      tables.add(new ArrayList<>());
    }
    for (int level : levels) {
      tables.get(level).add(LevelsTest.table(level, "a", "b"));
    }
    return new Levels(tables);
  }

  @Test
  void whatHasNothingBelowIsTheLastTier() {
    assertThat(Tier.ofCompaction(holding(0), 0, 1)).isEqualTo(Tier.LAST);
    assertThat(Tier.ofCompaction(holding(0, 3, 4), 3, 4)).isEqualTo(Tier.LAST);
    assertThat(Tier.ofCompaction(holding(0, 6), 0, 6)).isEqualTo(Tier.LAST);
  }

  @Test
  void whatComesFromLevel0IsUpperUnlessItIsLast() {
    assertThat(Tier.ofCompaction(holding(0, 1, 2), 0, 1)).isEqualTo(Tier.UPPER);
    assertThat(Tier.ofCompaction(holding(0), 0, 0)).isEqualTo(Tier.UPPER);
  }

  @Test
  void theRestIsInTheMiddle() {
    assertThat(Tier.ofCompaction(holding(1, 2, 3), 1, 2)).isEqualTo(Tier.MIDDLE);
  }
}
