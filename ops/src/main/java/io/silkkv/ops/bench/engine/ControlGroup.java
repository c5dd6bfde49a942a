package io.silkkv.ops.bench.engine;

import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A control group for one measured process, with a limit on what it reads from and writes to one
 * device. Version 1 of control groups is used where its {@code blkio} is mounted, else version 2.
 * Version 1 sees direct and synchronous I/O only: what the page cache writes back later belongs to
 * nobody. For one thread.
 */
final class ControlGroup implements AutoCloseable {
  /** How a version of control groups is spoken to. */
  private sealed interface Version {
    /** Where groups are made. */
    Path root();
  }

  private record One(Path root) implements Version {}

  private record Two(Path root) implements Version {}

  private final Version version;
  private final Path group;
  private final String device;

  private ControlGroup(Version version, Path group, String device) {
    this.version = version;
    this.group = group;
    this.device = device;
  }

  /**
   * Makes a group without a limit.
   *
   * @param mounts text of {@code /proc/mounts}
   * @param name name of the group; one of that name that is left from before is used
   * @throws OpsException when this machine or this user cannot limit devices
   */
  static ControlGroup create(List<String> mounts, String name, BlockDevice device)
      throws IOException {
    Version version = find(mounts);
    try {
      if (version instanceof Two two) {
        // Children get the controller from their parent's list.
        Files.writeString(two.root().resolve("cgroup.subtree_control"), "+io");
      }
      Path group = version.root().resolve(name);
      if (!Files.isDirectory(group)) {
        Files.createDirectory(group);
      }
      return new ControlGroup(version, group, device.number());
    } catch (FileSystemException e) {
      throw new OpsException(
          ExitCode.BAD_INPUT,
          "--device-limit: no control group can be made below "
              + version.root()
              + " ("
              + e.getMessage()
              + "). Run as root, in a container with --privileged; or measure without a limit",
          e);
    }
  }

  private static Version find(List<String> mounts) {
    Path unified = null;
    for (String line : mounts) {
      String[] fields = line.split(" ", -1);
      if (fields.length < 4) {
        continue;
      }
      if (fields[2].equals("cgroup") && List.of(fields[3].split(",", -1)).contains("blkio")) {
        return new One(Path.of(fields[1]));
      }
      if (fields[2].equals("cgroup2") && hasIo(Path.of(fields[1]))) {
        unified = Path.of(fields[1]);
      }
    }
    if (unified == null) {
      throw new OpsException(
          ExitCode.BAD_INPUT,
          "--device-limit: neither blkio of control groups version 1 nor io of version 2 is mounted"
              + " here. Mount one, e.g. 'mount -t cgroup2 none /sys/fs/cgroup', or measure without a"
              + " limit");
    }
    return new Two(unified);
  }

  private static boolean hasIo(Path root) {
    try {
      String controllers = Files.readString(root.resolve("cgroup.controllers")).strip();
      return List.of(controllers.split(" ", -1)).contains("io");
    } catch (IOException e) {
      // A mount that cannot be read is one that cannot be used.
      return false;
    }
  }

  /** Moves a process, with all its threads, into the group. */
  void add(long pid) throws IOException {
    Files.writeString(group.resolve("cgroup.procs"), Long.toString(pid));
  }

  /**
   * Sets the limit for reads and for writes.
   *
   * @param bytesPerSecond each of them; 0 lifts the limit
   */
  void limit(long bytesPerSecond) throws IOException {
    if (version instanceof One) {
      String line = device + " " + bytesPerSecond;
      Files.writeString(group.resolve("blkio.throttle.read_bps_device"), line);
      Files.writeString(group.resolve("blkio.throttle.write_bps_device"), line);
    } else {
      String value = bytesPerSecond == 0 ? "max" : Long.toString(bytesPerSecond);
      Files.writeString(group.resolve("io.max"), device + " rbps=" + value + " wbps=" + value);
    }
  }

  /** Where it is. */
  @Override
  public String toString() {
    return group.toString();
  }

  /** Removes the group; its process must have ended. */
  @Override
  public void close() throws IOException {
    Files.deleteIfExists(group);
  }
}
