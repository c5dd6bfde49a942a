package io.silkkv.ops.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A short run of {@code bench cluster} against SilkKV alone: that needs nothing which the build
 * does not bring along.
 */
class BenchClusterIT {
  @TempDir private Path dir;

  private JsonObject bench(String... arguments) throws IOException, InterruptedException {
    Path json = dir.resolve("out.json");
    List<String> command =
        new ArrayList<>(
            List.of(
                "bench",
                "cluster",
                "--systems=silkkv",
                "--keys=200",
                "--inflight=8",
                "--warm-up-seconds=0",
                "--json=" + json,
                "--html=" + dir.resolve("out.html"),
                "--dir=" + dir.resolve("data")));
    command.addAll(List.of(arguments));
    Process process =
        TestCluster.launcher()
            .command(command)
            .redirectOutput(dir.resolve("out").toFile())
            .redirectError(dir.resolve("err").toFile())
            .start();
    assertThat(process.waitFor(4, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(dir.resolve("err"))).isZero();
    return JsonParser.parseString(Files.readString(json)).getAsJsonObject();
  }

  @Test
  void aClosedLoopOfMixedCallsOverTwoShardsIsMeasuredAndChecked() throws Exception {
    JsonObject report = bench("--op=mixed", "--shards=2", "--seconds=2", "--rounds=2");
    JsonArray results = report.getAsJsonArray("results");
    assertThat(results).hasSize(2);
    for (int i = 0; i < 2; i++) {
      JsonObject row = results.get(i).getAsJsonObject();
      assertThat(row.get("system").getAsString()).isEqualTo("silkkv");
      assertThat(row.get("workload").getAsString()).isEqualTo("mixed-inflight8-1024B-2shards");
      assertThat(row.get("op").getAsString()).isIn("put", "get");
      assertThat(row.get("rounds").getAsInt()).isEqualTo(2);
      assertThat(row.get("ops_per_s").getAsDouble()).isPositive();
      assertThat(row.get("p99_us").getAsDouble()).isPositive();
      assertThat(row.get("errors").getAsLong()).isZero();
      assertThat(row.get("oracle_mismatches").getAsLong()).isZero();
      assertThat(row.get("valid").getAsBoolean()).isFalse();
      assertThat(row.get("invalid_because").toString()).contains("fewer than 3 rounds");
      assertThat(row.get("offered_per_s").isJsonNull()).isTrue();
    }
    assertThat(report.getAsJsonArray("series")).hasSize(2);
    JsonObject options =
        report.getAsJsonArray("systems").get(0).getAsJsonObject().getAsJsonObject("options");
    assertThat(options.get("shards").getAsString()).isEqualTo("2");
    assertThat(dir.resolve("out")).content().contains("silkkv").contains("put").contains("get");
    assertThat(dir.resolve("out.html")).content().contains("<html").contains("silkkv");
    assertThat(dir.resolve("data/silkkv")).isDirectory();
  }

  @Test
  void aKilledLeaderIsSeenByTheClientsOfAnOpenLoop() throws Exception {
    JsonObject report =
        bench("--op=put", "--rate=200", "--seconds=6", "--rounds=1", "--fault=kill-leader");
    JsonObject row = report.getAsJsonArray("results").get(0).getAsJsonObject();
    assertThat(row.get("workload").getAsString()).endsWith("-kill-leader");
    assertThat(row.get("offered_per_s").getAsDouble()).isBetween(150.0, 250.0);
    assertThat(row.get("unavailable_ms").getAsDouble()).isPositive();
    assertThat(row.get("oracle_mismatches").getAsLong()).isZero();
  }
}
