package io.silkkv.ops.bench.report;

import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The machine that the figures come from.
 *
 * @param cores processors that the benchmark may use
 * @param memoryBytes all of the machine's memory; -1 where it does not tell
 * @param cpu the processor's name; empty where it does not tell
 * @param kernel operating system with its version
 * @param jdk Java with its version
 * @param device what holds the data; null when nothing is known about it
 */
public record MachineFacts(
    int cores,
    long memoryBytes,
    String cpu,
    String kernel,
    String jdk,
    @Nullable DeviceFacts device) {

  /**
   * The device and its limit.
   *
   * @param kind e.g. {@code ram} or {@code disk}
   * @param path the directory of the data
   * @param limitBytesPerSecond NaN without a limit
   * @param probeWriteBytesPerSecond what a probe reached under that limit; NaN without a probe
   * @param probeReadBytesPerSecond likewise
   */
  public record DeviceFacts(
      String kind,
      String path,
      double limitBytesPerSecond,
      double probeWriteBytesPerSecond,
      double probeReadBytesPerSecond) {}

  /** The facts of this machine, as the process sees it. */
  public static MachineFacts read(@Nullable DeviceFacts device) {
    return read(Path.of("/proc"), device);
  }

  /**
   * @param proc the process file system; a machine without one only tells less
   */
  static MachineFacts read(Path proc, @Nullable DeviceFacts device) {
    String kibibytes = field(proc.resolve("meminfo"), "MemTotal").replaceAll("[^0-9]", "");
    return new MachineFacts(
        Runtime.getRuntime().availableProcessors(),
        kibibytes.isEmpty() ? -1 : Long.parseLong(kibibytes) << 10,
        field(proc.resolve("cpuinfo"), "model name"),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        System.getProperty("java.vm.name") + " " + System.getProperty("java.version"),
        device);
  }

  /** The first value of a {@code name: value} file; empty without the file or the name. */
  private static String field(Path file, String name) {
    if (!Files.isReadable(file)) {
      return "";
    }
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (IOException unreadable) {
      throw new OpsException(
          ExitCode.FAULT, file + " cannot be read: " + unreadable.getMessage(), unreadable);
    }
    for (String line : lines) {
      int colon = line.indexOf(':');
      if (colon > 0 && line.substring(0, colon).strip().equals(name)) {
        return line.substring(colon + 1).strip();
      }
    }
    return "";
  }
}
