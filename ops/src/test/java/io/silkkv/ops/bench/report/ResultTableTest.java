package io.silkkv.ops.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResultTableTest {

  @Test
  void columnsAreAlignedAndEveryFigureHasItsUnit() {
    List<String> lines = ResultTable.text(SyntheticRun.burst(), 200).lines().toList();

    assertThat(lines.get(0)).isEqualTo("burst: one round");
    String header = lines.get(2);
    assertThat(header).contains("system", "op", "p50", "p99.99", "bad s", "stalled", "errors");
    for (int row = 3; row < 3 + SyntheticRun.ENGINES.size() * 2; row++) {
      assertThat(lines.get(row)).hasSameSizeAs(header).matches(".*[0-9](us|ms|s) .*");
    }
  }

  @Test
  void noWidthBreaksALineOrLosesAFigure() {
    RunReport report = SyntheticRun.cluster();
    String p9999 = Unit.MICROS.text(report.rows().get(0).figure(Metric.P9999_US).value());
    for (int width = 40; width <= 200; width++) {
      String text = ResultTable.text(report, width);
      String tables = text.substring(0, text.indexOf("\nINVALID"));
      int fits = width;
      assertThat(tables.lines()).allMatch(line -> line.length() <= fits);
      assertThat(text).contains(p9999);
    }
  }

  @Test
  void anInvalidRunIsMarkedInEveryRowAndExplainedOnce() {
    String text = ResultTable.text(SyntheticRun.cluster(), 100);

    assertThat(text.lines().filter(line -> line.startsWith("INVALID rheakv  "))).isNotEmpty();
    assertThat(text.lines().filter(line -> line.startsWith("rheakv"))).isEmpty();
    assertThat(text).containsOnlyOnce("INVALID rheakv (put): the generator fell behind");
    assertThat(text).startsWith("put: medians of 3 rounds");
  }

  @Test
  void theTerminalTellsItsWidth() {
    assertThat(ResultTable.terminalWidth(Map.of("COLUMNS", "72"))).isEqualTo(72);
    assertThat(ResultTable.terminalWidth(Map.of("COLUMNS", "wide"))).isEqualTo(100);
    assertThat(ResultTable.terminalWidth(Map.of())).isEqualTo(100);
  }
}
