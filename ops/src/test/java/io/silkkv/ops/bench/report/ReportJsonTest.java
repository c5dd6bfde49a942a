package io.silkkv.ops.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.silkkv.ops.base.OpsException;
import io.silkkv.ops.bench.load.data.OpKind;
import io.silkkv.ops.bench.load.figures.Measurement;
import io.silkkv.ops.bench.load.figures.SecondFigures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportJsonTest {
  @TempDir Path dir;

  @Test
  void aRowHasExactlyTheDocumentedFields() {
    JsonObject json =
        JsonParser.parseString(ReportJson.encode(SyntheticRun.burst())).getAsJsonObject();

    assertThat(json.keySet())
        .containsExactly("format", "command", "started", "machine", "systems", "results", "series");
    assertThat(json.getAsJsonArray("results").get(0).getAsJsonObject().keySet())
        .containsExactly(
            "system",
            "workload",
            "op",
            "offered_per_s",
            "ops_per_s",
            "p50_us",
            "p90_us",
            "p99_us",
            "p999_us",
            "p9999_us",
            "max_us",
            "bad_seconds",
            "stall_ms",
            "unavailable_ms",
            "rate_back_ms",
            "debt_bytes_end",
            "drain_s",
            "write_amp",
            "read_amp",
            "space_amp",
            "cpu_s",
            "rss_peak_bytes",
            "gc_pause_max_ms",
            "safepoint_max_ms",
            "errors",
            "unanswered",
            "oracle_mismatches",
            "valid",
            "rounds",
            "invalid_because",
            "range");
    // One per system and operation.
    assertThat(json.getAsJsonArray("results")).hasSize(SyntheticRun.ENGINES.size() * 2);
  }

  @Test
  void whatIsReadIsWhatWasWritten() throws IOException {
    for (RunReport report : new RunReport[] {SyntheticRun.burst(), SyntheticRun.cluster()}) {
      Path file = dir.resolve("a.json");
      ReportJson.write(file, report);
      RunReport read = ReportJson.read(file);

      // Figures are rounded to thousandths once; after that nothing changes any more.
      assertThat(ReportJson.encode(read)).isEqualTo(Files.readString(file));
      assertThat(ReportJson.decode(ReportJson.encode(read))).isEqualTo(read);
      assertThat(read.systems()).isEqualTo(report.systems());
      assertThat(read.machine()).isEqualTo(report.machine());
      assertThat(read.rows())
          .extracting(Row::invalid)
          .isEqualTo(report.rows().stream().map(Row::invalid).toList());
    }
  }

  @Test
  void fieldsOfALaterVersionArePassedOver() {
    String text = ReportJson.encode(SyntheticRun.cluster());

    RunReport read = ReportJson.decode(text.replace("\"valid\":", "\"p99999_us\":7,\"valid\":"));

    assertThat(read).isEqualTo(ReportJson.decode(text));
  }

  @Test
  void aFileThatIsNoReportIsRefusedByName() throws IOException {
    Path missing = dir.resolve("missing.json");
    assertThatThrownBy(() -> ReportJson.read(missing))
        .isInstanceOf(OpsException.class)
        .hasMessageContaining("missing.json")
        .hasMessageContaining("--json");
    String good = ReportJson.encode(SyntheticRun.cluster());
    for (String text :
        new String[] {
          "",
          "[]",
          "not json",
          "{\"format\": \"silkkv-bench-99\"}",
          good.substring(0, good.length() / 2),
          good.replace("\"rounds\":3", "\"rounds\":\"three\""),
          good.replace("\"machine\"", "\"machines\"")
        }) {
      Path file = Files.writeString(dir.resolve("broken.json"), text);
      assertThatThrownBy(() -> ReportJson.read(file))
          .as(text.substring(0, Math.min(40, text.length())))
          .isInstanceOf(OpsException.class)
          .hasMessageContaining("broken.json");
    }
  }

  @Test
  void measurementsCrossProcessesUnchanged() {
    Measurement one =
        new SyntheticRun(3)
            .measure(SyntheticRun.ENGINES.get(4), "burst", 1, SyntheticRun.bursts(20));

    String line = FiguresJson.line(one);

    assertThat(line).doesNotContain("\n").contains("\"op\":\"put\"").contains("\"p9999\"");
    assertThat(FiguresJson.parse(line, Measurement.class)).isEqualTo(one);
    SecondFigures second = new SecondFigures(1, OpKind.RMW, 2, 3, 4, 5, 6, 7);
    assertThat(FiguresJson.parse(FiguresJson.line(second), SecondFigures.class)).isEqualTo(second);
  }

  @Test
  void aLineThatIsNoMeasurementIsShownInTheError() {
    for (String line : new String[] {"", "Exception in thread", "{\"op\":\"fly\"}", "[]"}) {
      assertThatThrownBy(() -> FiguresJson.parse(line, SecondFigures.class))
          .isInstanceOf(OpsException.class)
          .hasMessageContaining("'" + line + "'");
    }
  }
}
