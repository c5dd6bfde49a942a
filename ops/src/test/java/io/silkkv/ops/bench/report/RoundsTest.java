package io.silkkv.ops.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import io.silkkv.ops.bench.load.data.OpKind;
import io.silkkv.ops.bench.load.data.OracleFigures;
import io.silkkv.ops.bench.load.figures.GeneratorFigures;
import io.silkkv.ops.bench.load.figures.LoadResult;
import io.silkkv.ops.bench.load.figures.Measurement;
import io.silkkv.ops.bench.load.figures.OpFigures;
import io.silkkv.ops.bench.load.figures.ProcessFigures;
import io.silkkv.ops.bench.load.figures.SecondFigures;
import io.silkkv.ops.bench.load.figures.StorageFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RoundsTest {

  @Test
  void interleavedRoundsOfASystemBecomeOneRowWithMedianAndRange() {
    RunReport report =
        report(
            measurement("a", "open", 1, 3_000_000, 1, List.of()),
            measurement("b", "open", 1, 9_000_000, 0, List.of()),
            measurement("a", "open", 2, 5_000_000, 0, List.of()),
            measurement("b", "open", 2, 7_000_000, 0, List.of()),
            measurement("a", "open", 3, 1_000_000, 1, List.of()),
            measurement("b", "open", 3, 8_000_000, 0, List.of()));

    assertThat(report.rows()).extracting(Row::system).containsExactly("a", "b");
    Row a = report.rows().get(0);
    assertThat(a.rounds()).isEqualTo(3);
    assertThat(a.figure(Metric.P99_US)).isEqualTo(new Figure(3_000, 1_000, 5_000));
    assertThat(report.series()).hasSize(6);
  }

  @Test
  void faultsAreAddedUpAndNotHiddenByTheMedianRound() {
    RunReport report =
        report(
            measurement("a", "open", 1, 1_000, 1, List.of()),
            measurement("a", "open", 2, 1_000, 0, List.of()),
            measurement("a", "open", 3, 1_000, 0, List.of()));

    assertThat(report.rows().get(0).figure(Metric.ERRORS)).isEqualTo(new Figure(1, 0, 1));
    assertThat(report.rows().get(0).figure(Metric.ORACLE_MISMATCHES).value()).isEqualTo(3);
  }

  @Test
  void oneInvalidRoundMakesTheRowInvalid() {
    RunReport report =
        report(
            measurement("a", "open", 1, 1_000, 0, List.of()),
            measurement("a", "open", 2, 1_000, 0, List.of("fell behind")));

    assertThat(report.valid()).isFalse();
    assertThat(report.rows().get(0).invalid()).containsExactly("fell behind");
  }

  @Test
  void whatTheProcessOrTheEngineDoesNotTellIsUnknownAndNotZero() {
    Row row = report(measurement("a", "open", 1, 1_000, 0, List.of())).rows().get(0);

    assertThat(row.figure(Metric.RSS_PEAK_BYTES).isKnown()).isFalse();
    assertThat(row.figure(Metric.GC_PAUSE_MAX_MS).isKnown()).isFalse();
    assertThat(row.figure(Metric.WRITE_AMP).isKnown()).isFalse();
    assertThat(row.figure(Metric.SAFEPOINT_MAX_MS).value()).isCloseTo(2.5, within(1e-9));
    assertThat(row.figure(Metric.CPU_S).value()).isEqualTo(12.5);
    assertThat(row.figure(Metric.STALL_MS).value()).isEqualTo(1_500);
  }

  @Test
  void offeredLoadIsWhatWasDueInEachSecondWithFailuresAndIsUnknownInAClosedLoop() {
    Series open = report(measurement("a", "open", 1, 1_000, 4, List.of())).series().get(0);
    RunReport closed = report(measurement("a", "closed", 1, 1_000, 4, List.of()));

    // Second 1 has no entry: nothing was due in it.
    assertThat(open.offered()).containsExactly(100.0, 0.0, 50.0);
    assertThat(open.ops().get("put").finished()).containsExactly(90.0, 0.0, 60.0);
    assertThat(open.ops().get("put").p99().get(0)).isEqualTo(1.0);
    assertThat(open.ops().get("put").p99().get(1)).isNaN();
    assertThat(closed.series().get(0).offered()).isEmpty();
    assertThat(closed.rows().get(0).figure(Metric.OFFERED_PER_S).isKnown()).isFalse();
  }

  @Test
  void theRestOfASecondAfterTheLoadIsNoSecond() {
    Measurement one = measurement("a", "open", 1, 1_000, 0, List.of());
    List<SecondFigures> seconds = new ArrayList<>(one.load().perSecond());
    seconds.add(new SecondFigures(3, OpKind.PUT, 0, 2, 0, 0, 0, 0));
    LoadResult load = one.load();
    Measurement late =
        new Measurement(
            one.system(),
            one.workload(),
            one.round(),
            new LoadResult(
                load.mode(),
                3.02,
                load.operations(),
                seconds,
                load.generator(),
                load.oracle(),
                load.invalidBecause(),
                load.firstErrors()),
            one.process(),
            one.storage(),
            one.effectiveOptions(),
            one.ioBytesPerSecond());

    assertThat(report(late).series().get(0).ops().get("put").finished())
        .containsExactly(90.0, 0.0, 60.0);
  }

  @Test
  void whatClientsReadHasOneNameWhateverTheSystemCallsIt() {
    Measurement one = measurement("a", "open", 1, 1_000, 0, List.of());
    Measurement tells =
        new Measurement(
            one.system(),
            one.workload(),
            one.round(),
            one.load(),
            one.process(),
            one.storage(),
            one.effectiveOptions(),
            new TreeMap<>(Map.of("client-read", List.of(5.0), "flush", List.of(6.0))));

    assertThat(report(tells).series().get(0).io())
        .containsOnly(entry("client", List.of(5.0)), entry("flush", List.of(6.0)));
  }

  private static RunReport report(Measurement... measurements) {
    return Rounds.report(
        "bench", "2026-11-30T00:00:00Z", SyntheticRun.machine(null), List.of(measurements));
  }

  private static Measurement measurement(
      String system, String mode, int round, long p99, long errors, List<String> invalid) {
    return new Measurement(
        system,
        "fill",
        round,
        new LoadResult(
            mode,
            3,
            List.of(
                new OpFigures(
                    OpKind.PUT,
                    51,
                    50,
                    150,
                    errors,
                    0,
                    500,
                    700,
                    p99,
                    p99,
                    p99,
                    p99,
                    0,
                    1_500_000_000L)),
            List.of(
                new SecondFigures(0, OpKind.PUT, 100, 90, errors, 500, 1_000, 2_000),
                new SecondFigures(2, OpKind.PUT, 50, 60, 0, 500, 1_000, 2_000)),
            new GeneratorFigures(1, 2, 3, 0, 0, 0),
            new OracleFigures(10, 1, 1, List.of("lost"), 0),
            invalid,
            List.of()),
        new ProcessFigures(12.5, -1, -1, 2_500_000),
        StorageFigures.UNKNOWN,
        new TreeMap<>(),
        new TreeMap<>());
  }
}
