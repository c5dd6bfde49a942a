package io.silkkv.ops.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.ops.base.OpsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlockDeviceTest {
  @TempDir private Path sysfs;

  private void device(String number, String place) throws IOException {
    Path entry = Files.createDirectories(sysfs.resolve("devices").resolve(place));
    Files.writeString(entry.resolve("dev"), number + "\n");
    Files.createSymbolicLink(sysfs.resolve(number), entry);
  }

  @ParameterizedTest
  @CsvSource({"1792, 7:0", "1795, 7:3", "64768, 253:0", "66306, 259:2", "1048832, 1:256"})
  void theKernelsNumberIsTakenApart(long device, String number) {
    assertThat(BlockDevice.numberOf(device)).isEqualTo(number);
  }

  @Test
  void aWholeDiskIsItself() throws IOException {
    device("8:0", "sda");
    assertThat(BlockDevice.of(sysfs, "8:0", sysfs)).isEqualTo(new BlockDevice("8:0"));
  }

  @Test
  void aPartitionStandsForItsDisk() throws IOException {
    device("8:0", "sda");
    device("8:2", "sda/sda2");
    Files.writeString(sysfs.resolve("8:2/partition"), "2\n");
    assertThat(BlockDevice.of(sysfs, "8:2", sysfs)).isEqualTo(new BlockDevice("8:0"));
  }

  @Test
  void aFileSystemWithoutADeviceIsRefused() {
    assertThatThrownBy(() -> BlockDevice.of(Path.of("/data"), "0:31", sysfs))
        .isInstanceOf(OpsException.class)
        .hasMessageContaining("/data is on a file system without a block device")
        .hasMessageContaining("--device ram");
  }
}
