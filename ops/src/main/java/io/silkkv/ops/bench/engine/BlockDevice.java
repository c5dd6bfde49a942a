package io.silkkv.ops.bench.engine;

import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The disk behind a directory, as control groups name it: whole disks only, so a partition stands
 * for the disk that it is on.
 *
 * @param number {@code major:minor}
 */
record BlockDevice(String number) {
  private static final Path SYSFS = Path.of("/sys/dev/block");

  /**
   * @throws OpsException when no block device is behind the directory, as with tmpfs, overlay and
   *     network file systems
   */
  static BlockDevice of(Path directory) throws IOException {
    long device = ((Number) Files.getAttribute(directory, "unix:dev")).longValue();
    return of(directory, numberOf(device), SYSFS);
  }

  static BlockDevice of(Path directory, String number, Path sysfs) throws IOException {
    Path entry = sysfs.resolve(number);
    if (!Files.exists(entry)) {
      throw new OpsException(
          ExitCode.BAD_INPUT,
          directory
              + " is on a file system without a block device of its own ("
              + number
              + "), which cannot be limited. Name a directory on a disk with --device, or let"
              + " '--device ram' make a device");
    }
    if (!Files.exists(entry.resolve("partition"))) {
      return new BlockDevice(number);
    }
    Path diskNumber = entry.toRealPath().resolveSibling("dev");
    return new BlockDevice(Files.readString(diskNumber).strip());
  }

  /** Linux packs 12 and 20 bits of major and minor into the halves of a device number. */
  static String numberOf(long device) {
    long major = ((device >>> 8) & 0xfff) | ((device >>> 32) & ~0xfffL);
    long minor = (device & 0xff) | ((device >>> 12) & ~0xffL);
    return major + ":" + minor;
  }
}
