package io.silkkv.node.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.engine.io.FileSystem;
import io.silkkv.engine.io.IoCounters;
import io.silkkv.engine.io.LocalFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
  private static final UUID CLUSTER = new UUID(1, 2);
  private static final Identity N1 = new Identity(CLUSTER, "n1");

  private final FileSystem fileSystem = new LocalFileSystem(new IoCounters());
  @TempDir Path root;

  private DataDirectory open(Identity owner, boolean bootstrap) throws IOException {
    return DataDirectory.open(fileSystem, root, owner, bootstrap);
  }

  @Test
  void anEmptyDirectoryIsClaimedAndRecognizedLater() throws IOException {
    open(N1, true).close();
    try (DataDirectory again = open(N1, false)) {
      assertThat(again.readShardMap()).isNull();
      again.writeShardMap(new byte[] {1, 2});
      again.writeShardMap(new byte[] {3});
      assertThat(again.readShardMap()).containsExactly(3);
    }
  }

  @Test
  void aDirectoryInUseIsRefused() throws IOException {
    try (DataDirectory held = open(N1, true)) {
      assertThat(held.root()).isEqualTo(root);
      assertThatThrownBy(() -> open(N1, true))
          .isInstanceOf(DataDirectoryException.class)
          .hasMessageContaining(root.toString())
          .hasMessageContaining("in use by another process");
    }
  }

  @Test
  void anotherNodesDirectoryIsRefusedWithBothNames() throws IOException {
    open(N1, true).close();
    assertThatThrownBy(() -> open(new Identity(CLUSTER, "n2"), true))
        .hasMessageContaining("belongs to node n1 of cluster " + CLUSTER)
        .hasMessageContaining("this is node n2");
    open(N1, false).close();
  }

  @Test
  void aWipedDirectoryIsRefusedUnlessTheClusterIsNew() {
    assertThatThrownBy(() -> open(N1, false))
        .hasMessageContaining("is empty and cluster.bootstrap is false");
  }

  @Test
  void aDirectoryOfSomethingElseIsRefused() throws IOException {
    Files.writeString(root.resolve("holiday.jpg"), "x");
    assertThatThrownBy(() -> open(N1, true)).hasMessageContaining("holiday.jpg");
  }

  @Test
  void aNewerFormatAndADamagedIdentityAreToldApart() throws IOException {
    open(N1, true).close();
    Path identity = root.resolve("IDENTITY");
    String good = Files.readString(identity);
    Files.writeString(identity, good.replace("directory 1", "directory 2"));
    assertThatThrownBy(() -> open(N1, true))
        .hasMessageContaining(identity.toString())
        .hasMessageContaining("format version 2")
        .hasMessageContaining("use a newer SilkKV");
    Files.writeString(identity, good.replace("node n1", "nod"));
    assertThatThrownBy(() -> open(N1, true)).hasMessageContaining("is damaged");
  }
}
