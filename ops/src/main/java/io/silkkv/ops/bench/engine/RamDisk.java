package io.silkkv.ops.bench.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.ops.base.ByteSize;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A block device in memory with a file system on it: a file in a tmpfs, a loop device over the file
 * (without the page cache in between), and ext4 on that. It answers in microseconds and always
 * alike, so that what is measured is the limit and not the host's disk.
 *
 * <pre>
 * ROOT/ram/         tmpfs, just large enough
 * ROOT/ram/image    behind /dev/loopN
 * ROOT/disk/        ext4 on /dev/loopN
 * </pre>
 *
 * <p>Removing takes everything away in reverse order. Thread-safe: it may also be removed when the
 * process is told to end.
 */
final class RamDisk {
  /** What ext4 and the image's own file system keep for themselves. */
  private static final long OVERHEAD_BYTES = 64L << 20;

  private static final String INODES = "65536";
  private static final int UMOUNT_TRIES = 50;

  private final Path root;

  /** What to do at the end, the last thing made first. */
  @GuardedBy("this")
  private final Deque<List<String>> undo = new ArrayDeque<>();

  @GuardedBy("this")
  private boolean removed;

  /**
   * Makes nothing yet.
   *
   * @param root an existing, empty directory
   */
  RamDisk(Path root) {
    this.root = root;
  }

  /**
   * Makes the device and mounts it. After a failure, {@link #remove} takes away what was made.
   *
   * @param bytes space for data; taken from memory as it is used
   * @throws OpsException when this is not root, a tool is missing or a step fails
   */
  synchronized void create(long bytes) throws IOException, InterruptedException {
    if (removed) {
      throw new IllegalStateException("the RAM disk in " + root + " is removed");
    }
    requireRoot(Path.of("/proc/self"));
    requireMemory(Path.of("/proc/meminfo"), bytes);
    Path ram = Files.createDirectory(root.resolve("ram"));
    Path mountPoint = Files.createDirectory(directory());
    // Whole megabytes: a device has whole sectors.
    long imageBytes = ((bytes + OVERHEAD_BYTES + bytes / 20) >> 20) << 20;
    String size = "size=" + (imageBytes + OVERHEAD_BYTES);
    Commands.run(List.of("mount", "-t", "tmpfs", "-o", size, "none", ram.toString()));
    undo.push(List.of("umount", ram.toString()));
    Path image = ram.resolve("image");
    try (SeekableByteChannel channel =
        Files.newByteChannel(image, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      channel.position(imageBytes - 1).write(ByteBuffer.allocate(1));
    }
    String loop =
        Commands.run(List.of("losetup", "--find", "--show", "--direct-io=on", image.toString()));
    undo.push(List.of("losetup", "--detach", loop));
    makeFileSystem(loop);
    Commands.run(List.of("mount", "-t", "ext4", "-o", "noatime", loop, mountPoint.toString()));
    undo.push(List.of("umount", mountPoint.toString()));
  }

  /**
   * Without a journal, whose commits would be a second writer that nobody measures; and whole at
   * once, so that the kernel does not go on with it while it is measured.
   */
  private static void makeFileSystem(String loop) throws InterruptedException {
    Commands.run(
        List.of(
            "mkfs.ext4",
            "-q",
            "-F",
            "-m",
            "0",
            "-N",
            INODES,
            "-O",
            "^has_journal",
            "-E",
            "lazy_itable_init=0",
            loop));
  }

  /**
   * @param meminfo of the process file system; without one, nothing is checked
   * @throws OpsException when the device could not be filled
   */
  static void requireMemory(Path meminfo, long bytes) throws IOException {
    if (!Files.isReadable(meminfo)) {
      return;
    }
    for (String line : Files.readAllLines(meminfo)) {
      if (line.startsWith("MemAvailable:")) {
        long available = Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
        if (available < bytes) {
          throw new OpsException(
              ExitCode.BAD_INPUT,
              "a device of "
                  + ByteSize.text(bytes)
                  + " in memory may need more than the "
                  + ByteSize.text(available)
                  + " that are free. Lower --prefill, --seconds or --rate, or set --device-size");
        }
      }
    }
  }

  /**
   * @param own something that belongs to the user of this process
   * @throws OpsException when that is not root
   */
  static void requireRoot(Path own) throws IOException {
    if (((Number) Files.getAttribute(own, "unix:uid")).intValue() != 0) {
      throw new OpsException(
          ExitCode.BAD_INPUT,
          "--device ram makes a loop device and mounts it, which needs root. Run as root, or name"
              + " a directory with --device and leave out --device-limit");
    }
  }

  /** Where the file system is mounted. */
  Path directory() {
    return root.resolve("disk");
  }

  /** Takes away what was made; does nothing the second time. */
  synchronized void remove() throws IOException, InterruptedException {
    removed = true;
    while (!undo.isEmpty()) {
      List<String> step = undo.peek();
      runWhenFree(step);
      undo.pop();
    }
    Files.deleteIfExists(directory());
    Files.deleteIfExists(root.resolve("ram"));
  }

  /** A process that was just killed may hold its files for a moment. */
  private static void runWhenFree(List<String> step) throws InterruptedException {
    for (int left = UMOUNT_TRIES; ; left--) {
      try {
        Commands.run(step);
        return;
      } catch (OpsException e) {
        if (left == 0) {
          throw e;
        }
        // Nobody counts it down: this is a pause that an interrupt ends.
        boolean unused = new CountDownLatch(1).await(100, TimeUnit.MILLISECONDS);
      }
    }
  }
}
