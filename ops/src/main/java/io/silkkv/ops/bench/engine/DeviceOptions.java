package io.silkkv.ops.bench.engine;

import io.silkkv.ops.base.ByteSize;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say where the data lies, and what its device carries. */
final class DeviceOptions {
  private static final String RAM = "ram";
  private static final long GIB = 1L << 30;
  private static final long MOST_RAM_BYTES = 1024 * GIB;

  @Option(
      names = "--device",
      paramLabel = "DIR",
      description =
          "A directory on the disk to measure, or ram for a loop device in memory, which needs root"
              + " (default: ram with a limit, else the directory for temporary files).")
  private @Nullable String device;

  @Option(
      names = "--device-limit",
      paramLabel = "RATE",
      description =
          "What the measured process may read and may write, e.g. 200MB/s; needs root. Lifted for"
              + " the pre-fill.")
  private @Nullable String limit;

  @Option(
      names = "--device-rate",
      paramLabel = "RATE",
      description = "What the device carries, for systems that must know (default: the limit).")
  private @Nullable String rate;

  @Option(
      names = "--device-size",
      paramLabel = "SIZE",
      description =
          "Of a device in memory (default: three times the pre-fill, twice what is put, and 1GiB).")
  private @Nullable String size;

  /** What the device carries, in bytes per second; 0 when nobody said. */
  long deviceRate() {
    return rate == null ? limit() : atLeastOneMib("--device-rate", rate);
  }

  private long limit() {
    return limit == null ? 0 : atLeastOneMib("--device-limit", limit);
  }

  private static long atLeastOneMib(String option, String text) {
    long bytes = ByteSize.parseRate(option, text);
    if (bytes < 1 << 20) {
      throw new OpsException(
          ExitCode.BAD_INPUT, option + " is " + text + ", but must be at least 1MiB/s");
    }
    return bytes;
  }

  /**
   * Where the data lies.
   *
   * @param workload and
   * @param plan for the size of a device in memory
   */
  DeviceChoice choose(Workload workload, RunPlan plan) {
    long limitBytes = limit();
    boolean ram = device == null ? limitBytes > 0 : device.equals(RAM);
    if (!ram) {
      String directory = device == null ? System.getProperty("java.io.tmpdir", "/tmp") : device;
      return new DeviceChoice(Path.of(directory), limitBytes, 0);
    }
    return new DeviceChoice(null, limitBytes, ramBytes(workload, plan));
  }

  private long ramBytes(Workload workload, RunPlan plan) {
    if (size != null) {
      return ByteSize.parse("--device-size", size);
    }
    double puts =
        Math.min(
                (double) plan.operations(),
                workload.peak() * (plan.seconds() + plan.warmUpSeconds()))
            * workload.recipe().putShare();
    double bytes =
        3.0 * plan.prefillBytes() + 2 * puts * workload.entryBytes(plan.seed()) + (double) GIB;
    return (long) Math.min(bytes, (double) MOST_RAM_BYTES);
  }
}
