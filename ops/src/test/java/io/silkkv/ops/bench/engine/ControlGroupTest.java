package io.silkkv.ops.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.ops.base.OpsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories stand in for the kernel's; what is written to their files is checked. */
class ControlGroupTest {
  private static final BlockDevice DEVICE = new BlockDevice("7:3");

  @TempDir private Path dir;

  private List<String> unified() throws IOException {
    Path root = Files.createDirectories(dir.resolve("unified"));
    Files.writeString(root.resolve("cgroup.controllers"), "cpu io memory\n");
    return List.of("none /proc proc rw 0 0", "none " + root + " cgroup2 rw 0 0");
  }

  private List<String> blkio() throws IOException {
    Path root = Files.createDirectories(dir.resolve("blkio"));
    return List.of("cgroup " + root + " cgroup rw,relatime,blkio 0 0");
  }

  @Test
  void versionOneTakesOneLinePerDirection() throws IOException {
    ControlGroup group = ControlGroup.create(blkio(), "bench", DEVICE);
    group.add(4711);
    group.limit(200_000_000);
    Path files = dir.resolve("blkio/bench");
    assertThat(files.resolve("cgroup.procs")).hasContent("4711");
    assertThat(files.resolve("blkio.throttle.read_bps_device")).hasContent("7:3 200000000");
    assertThat(files.resolve("blkio.throttle.write_bps_device")).hasContent("7:3 200000000");
    group.limit(0);
    assertThat(files.resolve("blkio.throttle.write_bps_device")).hasContent("7:3 0");
  }

  @Test
  void versionTwoTakesBothInOneLine() throws IOException {
    ControlGroup group = ControlGroup.create(unified(), "bench", DEVICE);
    group.limit(50_000_000);
    assertThat(dir.resolve("unified/cgroup.subtree_control")).hasContent("+io");
    Path limits = dir.resolve("unified/bench/io.max");
    assertThat(limits).hasContent("7:3 rbps=50000000 wbps=50000000");
    group.limit(0);
    assertThat(limits).hasContent("7:3 rbps=max wbps=max");
  }

  @Test
  void versionOneIsTakenWhereBothAreMounted() throws IOException {
    List<String> both = List.of(unified().get(1), blkio().get(0));
    ControlGroup group = ControlGroup.create(both, "bench", DEVICE);
    assertThat(dir.resolve("blkio/bench")).isDirectory();
    group.close();
    assertThat(dir.resolve("blkio/bench")).doesNotExist();
  }

  @Test
  void withoutAControllerTheMessageSaysWhatToDo() throws IOException {
    Path root = Files.createDirectories(dir.resolve("hybrid"));
    Files.writeString(root.resolve("cgroup.controllers"), "cpu memory\n");
    List<String> mounts = List.of("none " + root + " cgroup2 rw 0 0", "x /y cgroup rw,cpu 0 0");
    assertThatThrownBy(() -> ControlGroup.create(mounts, "bench", DEVICE))
        .isInstanceOf(OpsException.class)
        .hasMessageContaining("--device-limit: neither blkio")
        .hasMessageContaining("mount -t cgroup2");
  }

  @Test
  void whoMayNotMakeGroupsIsToldToBecomeRoot() throws IOException {
    // A file where the group would be: the same error as without the right to make it.
    List<String> mounts = blkio();
    Files.writeString(dir.resolve("blkio/bench"), "");
    assertThatThrownBy(() -> ControlGroup.create(mounts, "bench", DEVICE))
        .isInstanceOf(OpsException.class)
        .hasMessageContaining("Run as root");
  }
}
