package io.silkkv.ops.bench.load.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.ops.bench.load.data.OperationMix.Share;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OperationMixTest {
  private static final ValueSizes SIZES = new ValueSizes.Fixed(100);

  @Test
  void sharesAreKeptAndFollowFromTheNumberAlone() {
    OperationMix mix =
        new OperationMix(
            1,
            1_000,
            0,
            List.of(Share.of(OpKind.PUT, 57), Share.of(OpKind.GET, 41), Share.scans(2, 10, 20)),
            new KeyChooser.Uniform(),
            SIZES);
    Map<OpKind, Integer> counts = new EnumMap<>(OpKind.class);
    for (int number = 0; number < 100_000; number++) {
      Operation operation = mix.operation(number);
      counts.merge(operation.kind(), 1, Integer::sum);
      assertThat(operation).isEqualTo(mix.operation(number));
      assertThat(operation.key()).isBetween(0L, 999L);
      assertThat(operation.valueBytes()).isEqualTo(operation.kind() == OpKind.PUT ? 100 : 0);
      if (operation.kind() == OpKind.SCAN) {
        assertThat(operation.limit()).isBetween(10, 20);
      }
    }
    assertThat(counts.get(OpKind.PUT)).isBetween(56_200, 57_800);
    assertThat(counts.get(OpKind.GET)).isBetween(40_200, 41_800);
    assertThat(counts.get(OpKind.SCAN)).isBetween(1_750, 2_250);
    assertThat(mix.startingAt(500).operation(7)).isEqualTo(mix.operation(507));
  }

  @Test
  void newKeysComeOneAfterTheOther() {
    OperationMix mix =
        new OperationMix(
            1, 100, 0.05, List.of(Share.of(OpKind.GET, 1)), new KeyChooser.Latest(0.99), SIZES);
    long next = 100;
    for (int number = 0; number < 10_000; number++) {
      Operation operation = mix.operation(number);
      if (operation.kind() == OpKind.PUT) {
        assertThat(operation.key()).isEqualTo(next++);
      } else {
        assertThat(operation.key()).isLessThan(next);
      }
    }
    assertThat(next).isEqualTo(600);
  }

  @Test
  void aFillPutsEachKeyOnceInOrder() {
    OperationSource fill = OperationSource.fill(1, SIZES);
    assertThat(fill.operation(41)).isEqualTo(Operation.put(41, 100));
  }

  @Test
  void nonsenseIsRefused() {
    assertThatThrownBy(() -> Share.of(OpKind.SCAN, 1)).hasMessageContaining("have limits");
    assertThatThrownBy(() -> Share.of(OpKind.GET, 0)).hasMessageContaining("above 0");
    assertThatThrownBy(() -> new OperationMix(1, 0, 0, List.of(), new KeyChooser.Uniform(), SIZES))
        .hasMessageContaining("at least one key");
    assertThatThrownBy(() -> new OperationMix(1, 1, 0, List.of(), new KeyChooser.Uniform(), SIZES))
        .hasMessageContaining("no kind");
  }
}
