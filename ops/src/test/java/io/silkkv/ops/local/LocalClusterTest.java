package io.silkkv.ops.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Local clusters whose nodes are shell scripts. */
class LocalClusterTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final UUID ID = new UUID(1, 2);

  @TempDir private Path dir;

  private Launcher launcher(String body) throws IOException {
    Path script = dir.resolve("launcher");
    Files.writeString(script, "#!/bin/bash\n" + body + "\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    return new Launcher(script, Path.of("/java"));
  }

  /** Becomes ready, keeps its arguments, and stops cleanly when asked. */
  private Launcher good() throws IOException {
    return launcher(
        """
        echo "$@" >"$(dirname "$3")/arguments"
        trap 'exit 0' TERM
        echo "ready node=x"
        while :; do sleep 0.05; done
        """);
  }

  private LocalCluster open(ClusterWish wish, Launcher launcher) throws IOException {
    return LocalCluster.open(dir.resolve("cluster"), wish, launcher, System::nanoTime);
  }

  private static ClusterWish wish(Integer nodes, Integer shards, List<String> splitAt) {
    return new ClusterWish(nodes, 17400, shards, splitAt, () -> ID);
  }

  @Test
  void nodesStartBecomeReadyAndStopCleanly() throws Exception {
    try (LocalCluster cluster = open(wish(3, 2, null), good())) {
      cluster.start(List.of("a.b=c"), LIMIT);
      assertThat(cluster.nodes()).allMatch(NodeProcess::isAlive);
      Path n2 = cluster.directory().root().resolve("n2");
      assertThat(n2.resolve("node.pid")).hasContent(String.valueOf(cluster.node("n2").pid()));
      assertThat(n2.resolve("arguments"))
          .hasContent("node --config " + n2.resolve("node.yaml") + " --set a.b=c");
      assertThat(cluster.stop())
          .extracting(LocalCluster.Stopped::message)
          .containsExactly("stopped", "stopped", "stopped");
    }
  }

  @Test
  void onlyTheFirstCreationMayStartFromEmptyDirectories() throws Exception {
    try (LocalCluster cluster = open(wish(3, null, null), good())) {
      assertThat(cluster.founded()).isFalse();
      cluster.start(List.of(), LIMIT);
      assertThat(cluster.directory().configFile("n1")).content().contains("bootstrap: false");
    }
    try (LocalCluster again = open(wish(null, null, null), good())) {
      assertThat(again.founded()).isTrue();
      assertThat(again.spec().clusterId()).isEqualTo(ID);
      again.start(List.of(), LIMIT);
      assertThat(again.directory().configFile("n3")).content().contains("bootstrap: false");
    }
  }

  @Test
  void aCreationThatFailedHalfWayIsStillACreation() throws Exception {
    Launcher launcher = launcher("echo 'n is ill' >&2; exit 75");
    try (LocalCluster cluster = open(wish(3, null, null), launcher)) {
      assertThatThrownBy(() -> cluster.start(List.of(), LIMIT))
          .isInstanceOfSatisfying(
              OpsException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.IN_USE))
          .hasMessageContaining("node n1 did not start: it ended with exit code 75")
          .hasMessageContaining("n is ill");
      assertThat(cluster.directory().configFile("n1")).content().contains("bootstrap: true");
    }
    try (LocalCluster again = open(wish(null, null, null), good())) {
      assertThat(again.founded()).isFalse();
    }
  }

  @Test
  void aNodeThatIsNotReadyInTimeIsReported() throws Exception {
    try (LocalCluster cluster = open(wish(1, null, null), launcher("exec sleep 60"))) {
      assertThatThrownBy(() -> cluster.start(List.of(), Duration.ofMillis(100)))
          .isInstanceOfSatisfying(
              OpsException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.UNAVAILABLE))
          .hasMessageContaining("node n1 is not ready after 0 s");
    }
  }

  @Test
  void optionsThatContradictTheStoredClusterAreRefused() throws Exception {
    try (LocalCluster cluster = open(wish(3, null, List.of("it's", "m\\x00")), good())) {
      assertThat(cluster.spec().shards()).isEqualTo(3);
    }
    assertThatThrownBy(() -> open(wish(5, 4, null), good()))
        .isInstanceOf(OpsException.class)
        .hasMessageContaining("--nodes is 5, but it has 3, --shards is 4, but it has 3");
    try (LocalCluster same = open(wish(null, null, List.of("it's", "m\\x00")), good())) {
      assertThat(same.spec().splitAt()).containsExactly("it's", "m\\x00");
    }
  }

  @Test
  void aDirectoryIsDrivenByOneProcess() throws Exception {
    try (LocalCluster cluster = open(wish(3, null, null), good())) {
      assertThat(cluster.founded()).isFalse();
      assertThatThrownBy(() -> open(wish(3, null, null), good()))
          .isInstanceOfSatisfying(
              OpsException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.IN_USE))
          .hasMessageContaining("another process runs the cluster in");
    }
  }

  @Test
  void anUnreadableClusterFileIsNamed() throws Exception {
    Path root = Files.createDirectories(dir.resolve("cluster"));
    Files.writeString(root.resolve("cluster.yaml"), "format: 2\n");
    assertThatThrownBy(() -> open(wish(3, null, null), good()))
        .isInstanceOf(OpsException.class)
        .hasMessageContaining("cannot use " + root.resolve("cluster.yaml"))
        .hasMessageContaining("its format is 2, this release knows 1");
  }

  @Test
  void badShapesAreRefusedWithTheirRange() {
    assertThatThrownBy(() -> open(wish(0, null, null), good()))
        .hasMessageContaining("1 to 9 nodes, not 0");
    assertThatThrownBy(() -> open(wish(3, 4, List.of("m")), good()))
        .hasMessageContaining("1 split keys make 2 shards, not 4");
  }

  @Test
  void nodesCanBeKilledPausedAndWiped() throws Exception {
    try (LocalCluster cluster = open(wish(1, null, null), good())) {
      cluster.start(List.of(), LIMIT);
      NodeProcess node = cluster.node("n1");
      node.pause();
      node.resume();
      Files.createDirectories(cluster.directory().dataDirectory("n1").resolve("a/b"));
      assertThatThrownBy(() -> cluster.wipe("n1")).hasMessageContaining("n1 runs");
      node.kill();
      assertThat(NodeProcess.describe(node.exitCode())).isEqualTo("was killed by signal 9");
      cluster.wipe("n1");
      assertThat(cluster.directory().dataDirectory("n1")).doesNotExist();
      cluster.restart("n1", List.of(), LIMIT);
      assertThat(node.isAlive()).isTrue();
    }
  }
}
