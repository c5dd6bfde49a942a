package io.silkkv.ops.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ChoiceTest {
  private final Map<String, Integer> choices = new TreeMap<>(Map.of("burst", 1, "fill", 2));

  @Test
  void aKnownNameHasItsValue() {
    assertThat(Choice.of("workload", "fill", choices)).isEqualTo(2);
  }

  @Test
  void theNearestNameIsSuggested() {
    assertThatThrownBy(() -> Choice.of("workload", "brust", choices))
        .isInstanceOf(OpsException.class)
        .hasMessage("workload 'brust' is unknown; did you mean 'burst'? Choices: burst, fill");
  }

  @Test
  void nothingIsSuggestedWhenNothingIsNear() {
    assertThatThrownBy(() -> Choice.of("workload", "zzzzzz", choices))
        .hasMessage("workload 'zzzzzz' is unknown. Choices: burst, fill");
  }
}
