package io.silkkv.ops.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import io.silkkv.ops.local.ClusterWish;
import io.silkkv.ops.local.FreePorts;
import io.silkkv.ops.local.LocalCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that cannot start says why, and what to do, and its exit code tells the kind. */
class NodeRefusalIT {
  @TempDir private Path dir;
  private LocalCluster cluster;

  @BeforeEach
  void prepare() throws IOException {
    cluster = open("one");
  }

  @AfterEach
  void stop() throws IOException {
    cluster.close();
  }

  private LocalCluster open(String name) throws IOException {
    return LocalCluster.open(
        dir.resolve(name),
        ClusterWish.exactly(1, FreePorts.from(23_000, 10), 1),
        TestCluster.launcher(),
        System::nanoTime);
  }

  private void start(String... settings) throws IOException, InterruptedException {
    cluster.start(List.of(settings), TestCluster.START_LIMIT);
  }

  private OpsException refusal(LocalCluster refused, String... settings) {
    return catchThrowableOfType(
        OpsException.class, () -> refused.start(List.of(settings), TestCluster.START_LIMIT));
  }

  @Test
  void anAddressInUse() throws Exception {
    int port = cluster.spec().basePort();
    try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      OpsException refusal = refusal(cluster);
      assertThat(refusal.exitCode()).isEqualTo(ExitCode.IN_USE);
      assertThat(refusal).hasMessageContaining("127.0.0.1:" + taken.getLocalPort());
    }
  }

  @Test
  void anUnknownSetting() {
    OpsException refusal = refusal(cluster, "engine.memtable-byte=1MiB");
    assertThat(refusal.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(refusal)
        .hasMessageContaining("unknown setting 'engine.memtable-byte'")
        .hasMessageContaining("did you mean 'engine.memtable-bytes'?");
  }

  @Test
  void aDirectoryThatAnotherProcessUses() throws Exception {
    start();
    Path data = cluster.directory().dataDirectory("n1");
    try (LocalCluster other = open("two")) {
      OpsException refusal = refusal(other, "node.data-dir=" + data);
      assertThat(refusal.exitCode()).isEqualTo(ExitCode.IN_USE);
      assertThat(refusal).hasMessageContaining(data + " is in use by another process");
    }
  }

  @Test
  void aDirectoryOfAnotherNodeOrOfANewerFormatOrAnEmptyOne() throws Exception {
    start();
    cluster.node("n1").kill();
    Path data = cluster.directory().dataDirectory("n1");
    try (LocalCluster other = open("two")) {
      OpsException refusal = refusal(other, "node.data-dir=" + data);
      assertThat(refusal.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(refusal)
          .hasMessageContaining(data + " belongs to node n1 of cluster")
          .hasMessageContaining(other.spec().clusterId().toString());
    }

    Path identity = data.resolve("IDENTITY");
    String text = Files.readString(identity);
    Files.writeString(identity, text.replace("silkkv-data-directory 1", "silkkv-data-directory 2"));
    OpsException tooNew = refusal(cluster);
    assertThat(tooNew.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(tooNew)
        .hasMessageContaining(identity + " has format version 2, newer than this release reads");

    cluster.wipe("n1");
    OpsException wiped = refusal(cluster);
    assertThat(wiped.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(wiped).hasMessageContaining("is empty and cluster.bootstrap is false");
  }
}
