package io.silkkv.ops.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.ops.bench.load.Progress;
import io.silkkv.ops.bench.load.data.OpKind;
import io.silkkv.ops.bench.load.figures.SecondFigures;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunProgressTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  @Test
  void aLogGetsALineEveryTenSecondsAndEveryBadSecond() {
    run(new RunProgress(out, false, 100));

    assertThat(written().lines())
        .containsExactly(
            "silkkv-silk burst: 40 s",
            "silkkv-silk burst [#####---------------] 10/40 s  1,000 of 1,000 op/s  p99 2.00ms  max"
                + " 3.00ms",
            "  bad second 13: 0 of 1,000 op/s  p99 2.10s  max 3.15s",
            "silkkv-silk burst [##########----------] 20/40 s  1,000 of 1,000 op/s  p99 2.00ms  max"
                + " 3.00ms",
            "silkkv-silk burst [###############-----] 30/40 s  1,000 of 1,000 op/s  p99 2.00ms  max"
                + " 3.00ms");
  }

  @Test
  void aPersonSeesOneLineThatNeverPassesTheEdge() {
    run(new RunProgress(out, true, 50));

    String text = written();
    for (String drawn : text.split("[\r\n]", -1)) {
      assertThat(drawn.stripTrailing().length()).isLessThan(60);
    }
    assertThat(text.lines().filter(line -> line.contains("bad second 13"))).hasSize(1);
    assertThat(text).contains("\rsilkkv-silk burst [#");
    assertThat(text).endsWith("\r");
  }

  @Test
  void aSystemThatDoesNotAnswerShowsHowLongOneWaitsForIt() {
    RunProgress progress = new RunProgress(out, true, 120);
    progress.begin("etcd put", 40, true);
    progress.progress(new Progress(3.2, 900, 100, 0, 2.25, List.of()));

    assertThat(written()).contains("waiting for 2.3 s");
  }

  @Test
  void errorsAreSaidAtOnce() {
    RunProgress progress = new RunProgress(out, false, 120);
    progress.begin("etcd put", 40, false);
    progress.progress(
        new Progress(
            1,
            10,
            10,
            2,
            0,
            List.of(new SecondFigures(0, OpKind.PUT, 8, 8, 2, 1_000, 1_000, 1_000))));

    assertThat(written()).contains("  second 0: 8 op/s  p99 1.00us  max 1.00us  2 errors");
  }

  private void run(RunProgress progress) {
    progress.begin("silkkv-silk burst", 40, true);
    for (int second = 0; second < 39; second++) {
      boolean stall = second == 13;
      long p99 = stall ? 2_100_000_000L : 2_000_000;
      progress.progress(
          new Progress(
              second + 1,
              1_000L * second,
              1_000L * second,
              0,
              0,
              List.of(
                  new SecondFigures(
                      second, OpKind.PUT, 500, stall ? 0 : 500, 0, p99 / 4, p99, p99 * 3 / 2),
                  new SecondFigures(
                      second, OpKind.GET, 500, stall ? 0 : 500, 0, p99 / 8, p99 / 2, p99))));
    }
    progress.end();
  }

  private String written() {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
