package io.silkkv.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class EngineOptionsTest {
  @Test
  void allValuesOutOfRangeAreNamedAtOnce() {
    assertThatThrownBy(
            () ->
                EngineOptions.DEFAULTS.toBuilder()
                    .memtableBytes(0)
                    .maxWaitingMemtables(65)
                    .blockBytes(1)
                    .bloomBitsPerKey(-1)
                    .targetFileBytes(1)
                    .l0CompactionTrigger(0)
                    .levelBaseBytes(1)
                    .levelMultiplier(1)
                    .manifestRollBytes(1)
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("memtableBytes must be 1024 or more, not 0")
        .hasMessageContaining("maxWaitingMemtables must be 1 to 64, not 65")
        .hasMessageContaining("blockBytes")
        .hasMessageContaining("bloomBitsPerKey")
        .hasMessageContaining("targetFileBytes")
        .hasMessageContaining("l0CompactionTrigger")
        .hasMessageContaining("levelBaseBytes")
        .hasMessageContaining("levelMultiplier")
        .hasMessageContaining("manifestRollBytes");
  }

  @Test
  void stopMustBeBehindTheTrigger() {
    assertThatThrownBy(
            () -> EngineOptions.DEFAULTS.toBuilder().l0CompactionTrigger(8).l0StopWrites(8).build())
        .hasMessageContaining("l0StopWrites must be 9 to 10000, not 8");
  }

  @Test
  void builderStartsFromTheGivenValues() {
    EngineOptions options = EngineFixture.TINY.toBuilder().build();
    assertThat(options).isEqualTo(EngineFixture.TINY);
  }
}
