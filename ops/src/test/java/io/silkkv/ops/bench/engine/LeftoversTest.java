package io.silkkv.ops.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeftoversTest {
  private final List<String> said = new ArrayList<>();
  private final Leftovers leftovers = new Leftovers(said::add);

  @Test
  void theLastOneGoesFirstAndOnlyOnce() {
    List<String> removed = new ArrayList<>();
    leftovers.add("a", () -> removed.add("a"));
    leftovers.add("b", () -> removed.add("b"));
    leftovers.close();
    leftovers.close();
    assertThat(removed).containsExactly("b", "a");
    assertThat(said).isEmpty();
  }

  @Test
  void whatCannotBeRemovedIsToldAndDoesNotKeepTheRest() {
    List<String> removed = new ArrayList<>();
    leftovers.add("a", () -> removed.add("a"));
    leftovers.add(
        "device b",
        () -> {
          throw new IOException("busy");
        });
    leftovers.close();
    assertThat(removed).containsExactly("a");
    assertThat(said).containsExactly("device b could not be removed: busy");
  }

  @Test
  void nothingIsAddedAfterTheEnd() {
    leftovers.close();
    assertThatThrownBy(() -> leftovers.add("a", () -> {}))
        .isInstanceOf(IllegalStateException.class);
  }
}
