package io.silkkv.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.engine.IoPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeConfigLoaderTest {
  private static final String GOOD =
      """
      cluster:
        id: 6f1c2a4e-0000-4000-8000-000000000001
        bootstrap: true
        shards: 4
        nodes:
          - {id: n1, address: "127.0.0.1:7400", raft-address: "127.0.0.1:7401", http-address: "127.0.0.1:7402"}
          - {id: n2, address: "127.0.0.1:7410", raft-address: "127.0.0.1:7411", http-address: "127.0.0.1:7412"}
      node: {id: n1, data-dir: data}
      """;

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void writeGoodFile() throws IOException {
    file = Files.writeString(directory.resolve("node.yaml"), GOOD);
  }

  private NodeConfig load(String... overrides) {
    return NodeConfigLoader.load(file, Map.of(), List.of(overrides));
  }

  @Test
  void readsTheFileAndFillsInDefaults() {
    NodeConfig config = load();
    assertThat(config.cluster().shards()).isEqualTo(4);
    assertThat(config.cluster().bootstrap()).isTrue();
    assertThat(config.self().raft()).isEqualTo(new NodeAddress("127.0.0.1", 7401));
    assertThat(config.engine().memtableBytes()).isEqualTo(64L << 20);
    assertThat(config.limits().valueBytes()).isEqualTo(2 << 20);
    assertThat(config.node().dataDir()).isAbsolute();
  }

  @Test
  void theIoPolicyFollowsFromTheDeviceRateUnlessItIsGiven() {
    assertThat(load().engine().ioPolicy()).isEqualTo(IoPolicy.none());
    assertThat(load("io.device-rate=200MB/s").engine().ioPolicy())
        .isEqualTo(IoPolicy.silk(200_000_000));
    assertThat(load("io.device-rate=200MB/s", "io.policy=silk:parts=priorities-only").engine())
        .extracting(NodeConfig.Engine::ioPolicy)
        .isEqualTo(IoPolicy.parse("silk:budget=200MB/s,parts=priorities-only"));
    assertThat(load("io.device-rate=200MB/s", "io.policy=none").engine().ioPolicy())
        .isEqualTo(IoPolicy.none());
    assertThat(load("io.policy=fixed:90MB/s").engine().ioPolicy())
        .isEqualTo(new IoPolicy.Fixed(90_000_000));
    assertThat(load("io.policy=silk:budget=100MB/s").engine().ioPolicy())
        .isEqualTo(IoPolicy.silk(100_000_000));
    assertThatThrownBy(() -> load("io.policy=silk")).hasMessageContaining("needs the bandwidth");
    assertThatThrownBy(() -> load("io.device-rate=fast")).hasMessageContaining("'fast'");
  }

  @Test
  void overridesBeatTheEnvironmentWhichBeatsTheFile() {
    Map<String, String> environment =
        Map.of("SILKKV_CLUSTER_SHARDS", "5", "SILKKV_ENGINE_MEMTABLE_BYTES", "8 MiB", "HOME", "x");
    NodeConfig config =
        NodeConfigLoader.load(file, environment, List.of("cluster.shards=6", "rpc.read-queue=9"));
    assertThat(config.cluster().shards()).isEqualTo(6);
    assertThat(config.engine().memtableBytes()).isEqualTo(8L << 20);
    assertThat(config.rpc().readQueue()).isEqualTo(9);
  }

  @Test
  void namesAnUnknownSettingAndSuggestsTheNearest() {
    assertThatThrownBy(() -> load("engine.memtable-byte=1"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("unknown setting 'engine.memtable-byte'")
        .hasMessageContaining("did you mean 'engine.memtable-bytes'?");
  }

  @Test
  void namesAnUnknownSettingInTheFile() throws IOException {
    Files.writeString(file, GOOD + "engin: {memtable-bytes: 1}\n");
    assertThatThrownBy(this::load)
        .hasMessageContaining("unknown setting 'engin.memtable-bytes' in " + file)
        .hasMessageContaining("did you mean 'engine.memtable-bytes'?");
  }

  @Test
  void namesAnUnknownVariable() {
    assertThatThrownBy(
            () -> NodeConfigLoader.load(file, Map.of("SILKKV_NODE_IDD", "n1"), List.of()))
        .hasMessageContaining("SILKKV_NODE_IDD")
        .hasMessageContaining("SILKKV_NODE_ID'");
  }

  @Test
  void tellsEveryProblemAtOnce() {
    assertThatThrownBy(() -> load("rpc.read-threads=none", "limits.key-bytes=1GiB", "node.id=n9"))
        .hasMessageContaining("rpc.read-threads is 'none', but must be number, at least 1")
        .hasMessageContaining("limits.key-bytes is 1073741824 bytes")
        .hasMessageContaining("2 problems");
  }

  @Test
  void refusesANodeThatTheClusterDoesNotKnow() {
    assertThatThrownBy(() -> load("node.id=n9"))
        .hasMessageContaining("node.id 'n9' is not one of cluster.nodes [n1, n2]");
  }

  @Test
  void refusesOtherAddressesThanLoopbackUntilAllowed() throws IOException {
    Files.writeString(file, GOOD.replace("127.0.0.1:7400", "0.0.0.0:7400"));
    assertThatThrownBy(this::load)
        .hasMessageContaining("0.0.0.0:7400")
        .hasMessageContaining("set node.allow-non-loopback=true");
    assertThat(load("node.allow-non-loopback=true").self().address().host()).isEqualTo("0.0.0.0");
  }

  @Test
  void refusesAddressesThatAreUsedTwice() throws IOException {
    Files.writeString(file, GOOD.replace("7410", "7400"));
    assertThatThrownBy(this::load).hasMessageContaining("names 127.0.0.1:7400 twice");
  }

  @Test
  void refusesBrokenYamlMissingFilesAndMisshapenNodes() throws IOException {
    Files.writeString(file, "cluster: [");
    assertThatThrownBy(this::load).hasMessageContaining("is not valid YAML");
    Files.writeString(file, GOOD.replace("raft-address", "raft"));
    assertThatThrownBy(this::load).hasMessageContaining("must have exactly id, address");
    Files.writeString(file, GOOD.replace("127.0.0.1:7401", "7401"));
    assertThatThrownBy(this::load).hasMessageContaining("'7401' is not host:port");
    Files.delete(file);
    assertThatThrownBy(this::load).hasMessageContaining("does not exist");
  }

  @Test
  void refusesSplitKeysThatDoNotMatchTheNumberOfShards() {
    assertThatThrownBy(() -> load("cluster.split-at=g,m"))
        .hasMessageContaining("cluster.split-at has 2 keys, which makes 3 shards");
    assertThat(load("cluster.split-at=g,m,t").cluster().splitAt()).containsExactly("g", "m", "t");
  }

  @Test
  void theSettingsReferenceInTheReadmeIsComplete() throws IOException {
    String readme = Files.readString(Path.of("README.md"));
    for (Setting setting : Setting.values()) {
      assertThat(readme).contains(setting.toMarkdown());
    }
  }
}
