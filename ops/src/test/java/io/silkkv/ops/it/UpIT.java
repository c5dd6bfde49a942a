package io.silkkv.ops.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.ops.local.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of the README, as a user types them. */
class UpIT {
  @TempDir private Path dir;

  private record Result(int exitCode, String out, String err) {}

  private ProcessBuilder command(String... arguments) {
    return TestCluster.launcher()
        .command(List.of(arguments))
        .redirectOutput(dir.resolve("out").toFile())
        .redirectError(dir.resolve("err").toFile());
  }

  private Result run(String endpoint, String... arguments)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--endpoint", endpoint));
    Process process = command(all.toArray(String[]::new)).start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Result(
        process.exitValue(),
        Files.readString(dir.resolve("out")),
        Files.readString(dir.resolve("err")));
  }

  private Process up(int port, Path out, Path err, String... more) throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of("up", "--dir", dir.resolve("data").toString(), "--base-port", "" + port));
    arguments.addAll(List.of(more));
    return TestCluster.launcher()
        .command(arguments)
        .redirectOutput(out.toFile())
        .redirectError(err.toFile())
        .start();
  }

  @Test
  void aClusterComesUpServesStopsCleanlyAndGoesOnWithItsData() throws Exception {
    int port = FreePorts.from(24_000, 30);
    String endpoint = "127.0.0.1:" + (port + 10);
    Path out = dir.resolve("up-out");
    Path err = dir.resolve("up-err");
    Process first = up(port, out, err, "--shards", "2");
    try {
      awaitReady(first, out, err);
      assertThat(run(endpoint, "kv", "put", "city/paris", "48.85,2.35").exitCode()).isZero();
      assertThat(run(endpoint, "kv", "get", "city/paris"))
          .isEqualTo(new Result(0, "48.85,2.35\n", ""));
      assertThat(run(endpoint, "kv", "get", "city/rome").exitCode()).isEqualTo(1);
      assertThat(run(endpoint, "kv", "scan", "--prefix", "city/").out())
          .isEqualTo("city/paris\t48.85,2.35\n");
      Result status = run(endpoint, "status");
      assertThat(status.exitCode()).isZero();
      assertThat(status.out()).contains("NODE", "n1", "n2", "n3", "ready", "SHARD", "LEADER");
      killNode(err, "n2");
      stop(first);
    } finally {
      first.destroyForcibly();
    }
    assertThat(err).content().contains("n1 stopped").contains("n3 stopped");
    assertThat(first.exitValue()).isZero();

    Process contradiction = up(port, out, err, "--shards", "3");
    assertThat(contradiction.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(contradiction.exitValue()).isEqualTo(2);
    assertThat(err).content().contains("--shards is 3, but it has 2");

    Process second = up(port, out, err);
    try {
      awaitReady(second, out, err);
      assertThat(run(endpoint, "kv", "get", "city/paris").out()).isEqualTo("48.85,2.35\n");
      stop(second);
    } finally {
      second.destroyForcibly();
    }
    assertThat(second.exitValue()).isZero();
  }

  private static void awaitReady(Process process, Path out, Path err) throws IOException {
    TestCluster.within(TestCluster.START_LIMIT)
        .until(() -> Files.readString(out).contains("ready endpoints=") || !process.isAlive());
    assertThat(process.isAlive()).as(Files.readString(err)).isTrue();
  }

  private void killNode(Path err, String id) throws IOException {
    long pid = Long.parseLong(Files.readString(dir.resolve("data/" + id + "/node.pid")).strip());
    assertThat(ProcessHandle.of(pid).orElseThrow().destroyForcibly()).isTrue();
    TestCluster.within(Duration.ofSeconds(20))
        .until(() -> Files.readString(err).contains("node " + id + " was killed by signal 9"));
    assertThat(err).content().contains("2 of 3 nodes run").contains("node --config");
  }

  private static void stop(Process process) throws InterruptedException {
    process.destroy();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
  }
}
