package io.silkkv.ops.bench.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.silkkv.ops.base.OpsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RamDiskTest {
  @TempDir private Path dir;

  @Test
  void whoIsNotRootIsToldWhatToDo() throws Exception {
    Path own = Files.createFile(dir.resolve("own"));
    int uid = (Integer) Files.getAttribute(own, "unix:uid");
    if (uid == 0) {
      Files.setAttribute(own, "unix:uid", 65_534);
    }
    assertThatThrownBy(() -> RamDisk.requireRoot(own))
        .isInstanceOf(OpsException.class)
        .hasMessageContaining("--device ram")
        .hasMessageContaining("Run as root");
  }

  @Test
  void aDeviceThatDoesNotFitIntoTheMemoryIsRefused() throws Exception {
    Path meminfo = dir.resolve("meminfo");
    Files.writeString(meminfo, "MemTotal:  9000000 kB\nMemAvailable:    1000 kB\n");
    RamDisk.requireMemory(meminfo, 1_024_000);
    assertThatThrownBy(() -> RamDisk.requireMemory(meminfo, 2_000_000))
        .isInstanceOf(OpsException.class)
        .hasMessageContaining("a device of 2MB in memory may need more than the 1MB")
        .hasMessageContaining("--device-size");
  }

  @Test
  void aToolThatIsMissingIsNamedWithItsPackage() {
    assertThatThrownBy(() -> Commands.run(List.of("silkkv-no-such-tool")))
        .isInstanceOf(OpsException.class)
        .hasMessageContaining("silkkv-no-such-tool does not run")
        .hasMessageContaining("apt-get install");
  }

  @Test
  void aToolThatFailsIsQuoted() {
    assumeTrue(Files.isExecutable(Path.of("/bin/sh")));
    assertThatThrownBy(() -> Commands.run(List.of("/bin/sh", "-c", "echo broken; exit 3")))
        .hasMessageContaining("ended with 3: broken");
  }

  @Test
  void nothingIsMadeAfterItsRemoval() throws Exception {
    RamDisk disk = new RamDisk(dir);
    disk.remove();
    assertThatThrownBy(() -> disk.create(1)).isInstanceOf(IllegalStateException.class);
  }
}
