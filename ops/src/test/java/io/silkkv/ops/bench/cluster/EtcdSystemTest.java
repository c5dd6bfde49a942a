package io.silkkv.ops.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.ops.base.OpsException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EtcdSystemTest {
  @TempDir private Path dir;

  @Test
  void theFirstEtcdOfThePathIsTaken() throws IOException {
    Path second = Files.createDirectories(dir.resolve("b"));
    Path etcd = Files.createFile(second.resolve("etcd"));
    assertThat(etcd.toFile().setExecutable(true)).isTrue();
    String path = String.join(File.pathSeparator, "", dir.resolve("a").toString(), "" + second);
    assertThat(EtcdSystem.binary(path)).isEqualTo(etcd);
  }

  @Test
  void withoutEtcdOneCommandIsNamedThatInstallsIt() throws IOException {
    Files.createFile(dir.resolve("etcd"));
    assertThatThrownBy(() -> EtcdSystem.binary(dir.toString()))
        .isInstanceOf(OpsException.class)
        .hasMessageContaining("apt-get install etcd-server");
  }
}
