package io.silkkv.ops;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.ops.bench.load.data.OpKind;
import io.silkkv.ops.bench.load.figures.SecondFigures;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoTableTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DemoTable table = new DemoTable(new PrintStream(bytes, true, UTF_8));

  private static SecondFigures second(int number, long puts) {
    return new SecondFigures(number, OpKind.PUT, puts, puts, 0, 1_000_000, 2_500_000, 3_000_000);
  }

  @Test
  void everySecondHasALineInOrderAlsoTheOneWithoutAnAnswer() {
    table.note(2, "n1 killed with -9");
    table.seconds(List.of(second(0, 1_234), second(1, 7)), 3.2);
    assertThat(bytes.toString(UTF_8).lines()).hasSize(2);
    table.seconds(List.of(second(3, 9)), 6.1);
    table.finish(List.of(second(0, 1_234), second(1, 7), second(3, 9), second(5, 1)), 5);
    assertThat(bytes.toString(UTF_8).lines())
        .containsExactly(
            " second     puts/s   p50 ms   p99 ms   max ms",
            "      1      1,234      1.0      2.5      3.0",
            "      2          7      1.0      2.5      3.0  <- n1 killed with -9",
            "      3          0      0.0      0.0      0.0",
            "      4          9      1.0      2.5      3.0",
            "      5          0      0.0      0.0      0.0",
            "      6          1      1.0      2.5      3.0");
  }
}
