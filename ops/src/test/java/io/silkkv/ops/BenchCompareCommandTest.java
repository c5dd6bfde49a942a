package io.silkkv.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.ops.base.Console;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.bench.report.Figure;
import io.silkkv.ops.bench.report.MachineFacts;
import io.silkkv.ops.bench.report.Metric;
import io.silkkv.ops.bench.report.ReportJson;
import io.silkkv.ops.bench.report.Row;
import io.silkkv.ops.bench.report.RunReport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchCompareCommandTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @TempDir private Path dir;

  @Test
  void twoFilesBecomeRatiosWithANoteWhatTheyAreWorth() throws IOException {
    Path old = write("old.json", new Figure(2_000, 1_900, 2_100));
    Path now = write("new.json", new Figure(1_000, 900, 1_950));

    assertThat(run("bench", "compare", old.toString(), now.toString())).isEqualTo(ExitCode.OK);

    assertThat(text(out).lines())
        .contains("silkkv-silk burst put")
        .anyMatch(line -> line.matches("p99 +2\\.00ms +1\\.00ms +0\\.50  ranges overlap"));
    assertThat(text(err)).isEmpty();
  }

  @Test
  void itIsAlsoAnOptionOfBench() throws IOException {
    Path file = write("same.json", Figure.of(1));

    assertThat(run("bench", "--compare", file.toString(), file.toString())).isEqualTo(ExitCode.OK);

    assertThat(text(out).lines()).contains("silkkv-silk burst put");
  }

  @Test
  void aFileThatCannotBeReadIsBadInput() throws IOException {
    Path old = write("old.json", Figure.of(1));
    Path missing = dir.resolve("missing.json");

    assertThat(run("bench", "compare", old.toString(), missing.toString()))
        .isEqualTo(ExitCode.BAD_INPUT);

    assertThat(text(err)).contains("missing.json").doesNotContain("\tat ");
  }

  private Path write(String name, Figure p99) throws IOException {
    Path file = dir.resolve(name);
    ReportJson.write(
        file,
        new RunReport(
            "bench engine",
            "2026-11-30T00:00:00Z",
            new MachineFacts(2, -1, "", "Linux", "Java", null),
            List.of(),
            List.of(
                new Row("silkkv-silk", "burst", "put", 3, List.of(), Map.of(Metric.P99_US, p99))),
            List.of()));
    return file;
  }

  private int run(String... args) {
    Console console =
        new Console(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false,
            System::nanoTime,
            Map.of());
    return OpsMain.run(console, args);
  }

  private static String text(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }
}
