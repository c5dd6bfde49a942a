package io.silkkv.ops.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.silkkv.ops.bench.report.Metric;
import io.silkkv.ops.bench.report.ReportJson;
import io.silkkv.ops.bench.report.Row;
import io.silkkv.ops.bench.report.RunReport;
import io.silkkv.ops.bench.report.Series;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark of engines as a user types it, but tiny. No figure is judged: machines differ. */
class BenchEngineIT {
  private static final Path BLKIO = Path.of("/sys/fs/cgroup/blkio");

  @TempDir private Path dir;

  private Path json() {
    return dir.resolve("a.json");
  }

  private Process start(String... more) throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                ("bench engine --workload burst --rate 400 --peak-seconds 2 --valley-seconds 1"
                        + " --warm-up-seconds 1 --prefill 20MB --memtable 4MiB --cache 4MiB")
                    .split(" ")));
    arguments.addAll(List.of("--json", json().toString(), "--html", dir.resolve("a.html") + ""));
    arguments.addAll(List.of(more));
    ProcessBuilder builder =
        TestCluster.launcher()
            .command(arguments)
            .redirectOutput(dir.resolve("out").toFile())
            .redirectError(dir.resolve("err").toFile());
    builder.environment().put("SILKKV_JAVA_OPTS", "-Djava.io.tmpdir=" + dir);
    return builder.start();
  }

  private void assertEnds(Process process) throws Exception {
    assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(dir.resolve("err"))).isZero();
  }

  private void assertNothingIsLeft() throws IOException {
    assertThat(Files.readString(Path.of("/proc/mounts"))).doesNotContain(dir.toString());
    try (Stream<Path> left = Files.list(dir)) {
      assertThat(left).noneMatch(path -> path.getFileName().toString().startsWith("silkkv-bench"));
    }
  }

  @Test
  void bothEnginesAreMeasuredAndFoundCorrect() throws Exception {
    assertEnds(start("--systems", "silkkv-none,rocksdb", "--seconds", "3"));
    RunReport report = ReportJson.read(json());
    assertThat(report.rows())
        .extracting(row -> row.system() + " " + row.workload() + " " + row.op())
        .containsExactlyInAnyOrder(
            "silkkv-none burst put",
            "silkkv-none burst get",
            "rocksdb burst put",
            "rocksdb burst get");
    for (Row row : report.rows()) {
      assertThat(row.figure(Metric.ERRORS).value()).isZero();
      assertThat(row.figure(Metric.ORACLE_MISMATCHES).value()).isZero();
      for (Metric metric :
          List.of(
              Metric.OFFERED_PER_S,
              Metric.OPS_PER_S,
              Metric.P50_US,
              Metric.P99_US,
              Metric.P999_US,
              Metric.MAX_US,
              Metric.DEBT_BYTES_END,
              Metric.DRAIN_S,
              Metric.WRITE_AMP,
              Metric.SPACE_AMP,
              Metric.CPU_S)) {
        assertThat(row.figure(metric).isKnown()).as(row.system() + " " + metric).isTrue();
      }
    }
    for (Series series : report.series()) {
      assertThat(series.readsChecked()).isPositive();
      assertThat(series.mode()).isEqualTo("open");
    }
    assertThat(report.systems().get(0).options()).containsEntry("log", "none");
    assertThat(report.systems().get(1).options()).containsEntry("wal", "off");
    assertThat(Files.readString(dir.resolve("out"))).contains("silkkv-none", "rocksdb", "put");
    assertThat(dir.resolve("a.html")).isNotEmptyFile();
    assertNothingIsLeft();
  }

  @Test
  void aLimitedDeviceIsMadeProbedAndTakenAway() throws Exception {
    assumeTrue(System.getProperty("user.name").equals("root"), "not root");
    assumeTrue(Files.isWritable(Path.of("/dev/loop-control")), "no loop devices");
    assumeTrue(Files.isDirectory(BLKIO), "blkio is not mounted");
    Process process =
        start("--systems", "silkkv-none", "--seconds", "2", "--device-limit", "10MB/s");
    assertEnds(process);
    RunReport report = ReportJson.read(json());
    assertThat(report.machine().device().limitBytesPerSecond()).isEqualTo(10_000_000);
    assertThat(report.machine().device().probeWriteBytesPerSecond()).isPositive();
    assertNothingIsLeft();
    assertThat(BLKIO.resolve("silkkv-bench-" + process.pid())).doesNotExist();
  }

  @Test
  void whoIsToldToEndTakesItsDeviceAway() throws Exception {
    assumeTrue(System.getProperty("user.name").equals("root"), "not root");
    assumeTrue(Files.isWritable(Path.of("/dev/loop-control")), "no loop devices");
    Process process = start("--systems", "rocksdb", "--seconds", "1000", "--device", "ram");
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> Files.readString(dir.resolve("err")).contains("the device writes"));
    assertThat(Files.readString(Path.of("/proc/mounts"))).contains(dir.toString());
    process.destroy();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertNothingIsLeft();
  }
}
