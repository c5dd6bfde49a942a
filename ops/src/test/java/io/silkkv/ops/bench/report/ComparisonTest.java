package io.silkkv.ops.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ComparisonTest {

  @Test
  void aRatioIsNewOverOldAndADifferenceCountsOnlyOutsideOfTheRanges() {
    String text =
        Comparison.text(
            report(
                3,
                Map.of(
                    Metric.P99_US, new Figure(2_000, 1_900, 2_100),
                    Metric.P999_US, new Figure(4_000, 3_000, 9_000),
                    Metric.OPS_PER_S, new Figure(1_000, 990, 1_010))),
            report(
                3,
                Map.of(
                    Metric.P99_US, new Figure(1_000, 900, 1_100),
                    Metric.P999_US, new Figure(2_000, 1_000, 3_500),
                    Metric.OPS_PER_S, new Figure(500, 490, 510))),
            100);

    assertThat(text.lines())
        .anyMatch(line -> line.matches("p99 +2\\.00ms +1\\.00ms +0\\.50  better"))
        .anyMatch(line -> line.matches("p99\\.9 +4\\.00ms +2\\.00ms +0\\.50  ranges overlap"))
        .anyMatch(line -> line.matches("done +1,000 +500 +0\\.50  worse"));
  }

  @Test
  void oneRoundIsSaidToDecideNothing() {
    String text =
        Comparison.text(
            report(1, Map.of(Metric.P99_US, Figure.of(2_000))),
            report(1, Map.of(Metric.P99_US, Figure.of(3_000))),
            100);

    assertThat(text).contains("1.50  worse (one round: no range)");
  }

  @Test
  void faultsAreNeverExcusedByRanges() {
    String text =
        Comparison.text(
            report(3, Map.of(Metric.ERRORS, new Figure(1, 0, 1))),
            report(3, Map.of(Metric.ERRORS, new Figure(2, 0, 1))),
            100);

    assertThat(text.lines()).anyMatch(line -> line.matches("errors +1 +2 +2\\.00  worse"));
  }

  @Test
  void whatOnlyOneFileHasIsNamedAndADifferentMachineToo() {
    RunReport old = SyntheticRun.burst();
    RunReport now = SyntheticRun.cluster();

    String text = Comparison.text(old, now, 100);

    assertThat(text).contains("etcd put put: only in the new file");
    assertThat(text).contains("rocksdb burst get: only in the old file");
    assertThat(text).contains("note: device was DeviceFacts[kind=ram");
  }

  @Test
  void anInvalidRunIsSaidToBeSo() {
    assertThat(Comparison.text(SyntheticRun.cluster(), SyntheticRun.cluster(), 100))
        .contains("INVALID: the old run must not be quoted")
        .contains("1.00  equal");
  }

  private static RunReport report(int rounds, Map<Metric, Figure> figures) {
    return new RunReport(
        "bench",
        "2026-11-30T00:00:00Z",
        SyntheticRun.machine(null),
        List.of(),
        List.of(new Row("silkkv", "fill", "put", rounds, List.of(), figures)),
        List.of());
  }
}
