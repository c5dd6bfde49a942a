package io.silkkv.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.ops.base.Console;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.local.FreePorts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpsMainTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @TempDir private Path dir;

  private int run(String... args) {
    Console console =
        new Console(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false,
            System::nanoTime,
            Map.of("PATH", ""));
    return OpsMain.run(console, args);
  }

  private String text(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }

  @Test
  void withoutACommandTheCommandsAreListed() {
    assertThat(run()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(text(err))
        .contains("up", "node", "kv", "status", "load", "digest", "demo", "bench")
        .doesNotContain("bench-cluster-worker", "rheakv-node");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "up --nodes none|'none' is not an int",
        "up --set engine.memtable-bytes|--set engine.memtable-bytes is not KEY=VALUE",
        "up --set cluster.shards=4|is decided by --nodes, --shards",
        "kv get|Missing required parameter: 'KEY'",
        "kv del|give one of KEY, --prefix and --range",
        "kv del --prefix a k|give one of KEY, --prefix and --range",
        "kv put k|give either VALUE or --file",
        "kv put --hex k v|is not an even number of hex digits",
        "kv get --endpoint nonsense k|--endpoint: ",
        "kv get --deadline -1 k|--deadline is -1.0 seconds",
        "kv scan --prefix a --start b|--prefix names a range already",
        "kv scan --limit -1|--limit must be 0 or more but is -1",
        "load|Missing required parameter: 'FILE'",
        "load /nowhere/x.tsv|load file /nowhere/x.tsv does not exist",
        "load --on-error ignore x|'ignore' is unknown: choices are stop and skip",
        "load --format xml x|'xml' is unknown: choices are tsv and jsonl",
        "load --in-flight 0 x|--in-flight is 0, but must be 1 to 2048",
        "digest --of-file /nowhere/x|load file /nowhere/x does not exist",
        "demo --seconds 1|--seconds is 1, but at least 6 are needed",
        "bench|name a benchmark",
        "bench engine|--systems silkkv-silk,rocksdb",
        "bench engine --systems rocksbd|system 'rocksbd' is unknown; did you mean 'rocksdb'?",
        "bench engine --systems rocksdb --workload brust|did you mean 'burst'?",
        "bench engine --systems rocksdb-fixed|needs a rate",
        "bench engine --systems rocksdb --mode closed --rate 5|--mode closed has no --rate",
        "bench engine --systems rocksdb --device-limit fast|'fast' is not a rate",
        "bench engine --systems rocksdb --memtable 1KB|--memtable is 1000 bytes",
        "bench engine --systems rocksdb --seconds 0|--seconds is 0.0, but must be 1 to",
        "bench cluster --systems mysql|'mysql' is not a system: choose from silkkv, etcd, rheakv",
        "bench cluster --systems etcd,etcd|--systems names one twice",
        "bench cluster --op post|'post' is not an operation: choose from put, get, mixed, scan",
        "bench cluster --mode half|--mode is 'half': choose from open and closed",
        "bench cluster --mode open|--mode open needs --rate",
        "bench cluster --mode closed --rate 10|--mode closed has no --rate",
        "bench cluster --rate 0|--rate is 0, but must be 1 to 10,000,000",
        "bench cluster --inflight 0|--inflight is 0, but must be 1 to 2,048",
        "bench cluster --rounds 0|--rounds is 0, but must be 1 to 100",
        "bench cluster --seconds 0.5|--seconds is 0.5, but must be 1 to 3,600",
        "bench cluster --fault fire|'fire' is not a fault: choose from none, kill-leader",
        "bench cluster --fault kill-leader --seconds 2|needs rounds of at least 6 --seconds",
        "bench cluster --dir .|--dir . exists; name a new directory",
        "engine|name a command: verify, stats, dump-sst, dump-manifest",
        "engine verify /nowhere/x|/nowhere/x is not a directory",
        "engine dump-sst /nowhere/x.sst|there is no file /nowhere/x.sst",
        "node --config x|start a node through bin/silkkv",
        "stats|Unmatched argument",
        "statsu|Did you mean",
      })
  void badInputIsNamedAndEndsWithExitCodeTwo(String line, String message) {
    assertThat(run(line.split(" "))).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(text(err)).contains(message);
  }

  @ParameterizedTest
  @CsvSource({"status", "kv get --deadline 0.5 k", "digest --deadline 0.5"})
  void aClusterThatIsNotThereEndsWithExitCodeThree(String line) {
    int port = FreePorts.from(21_000, 1);
    String[] args = (line + " --endpoint 127.0.0.1:" + port).split(" ");
    assertThat(run(args)).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(text(err)).contains("silkkv: ").contains("silkkv up");
  }

  @Test
  void theDigestOfAFileIsPrinted() throws IOException {
    Path file = dir.resolve("a.tsv");
    Files.writeString(file, "a\t1\nbad\n");
    assertThat(run("digest", "--of-file", file.toString())).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(text(err)).contains("a.tsv line 2: no TAB between key and value");
    assertThat(run("digest", "--of-file", file.toString(), "--on-error", "skip")).isZero();
    assertThat(text(out)).matches("count=1 sha256=[0-9a-f]{64}\n");
  }

  @Test
  void aPeerThatIsNotInstalledIsNamedWithTheCommandThatInstallsIt() {
    System.setProperty("silkkv.launcher", Path.of("bin/silkkv").toAbsolutePath().toString());
    try {
      assertThat(run("bench", "cluster", "--systems=silkkv,etcd", "--dir=" + dir.resolve("bench")))
          .isEqualTo(ExitCode.BAD_INPUT);
    } finally {
      System.clearProperty("silkkv.launcher");
    }
    assertThat(text(err)).contains("apt-get install etcd-server");
  }
}
