package io.silkkv.ops.bench.engine;

import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Runs the system's tools that make and remove a device, and waits for their end. */
final class Commands {
  /** Debian's package of each tool. */
  private static final Map<String, String> PACKAGES =
      Map.of("losetup", "mount", "mount", "mount", "umount", "mount", "mkfs.ext4", "e2fsprogs");

  private Commands() {}

  /**
   * @return what the tool printed, without white space around it
   * @throws OpsException when the tool is missing or fails; the message says what it printed
   */
  static String run(List<String> command) throws InterruptedException {
    String tool = command.get(0);
    Process process;
    String output;
    String complaint;
    try {
      process = new ProcessBuilder(command).start();
      process.getOutputStream().close();
      // One after the other: these tools say a few lines at most, which fit into the pipes.
      output = text(process.getInputStream());
      complaint = text(process.getErrorStream());
    } catch (IOException e) {
      throw new OpsException(
          ExitCode.BAD_INPUT,
          tool
              + " does not run: "
              + e.getMessage()
              + ". Install it, e.g. 'apt-get install "
              + PACKAGES.getOrDefault(tool, tool)
              + "'",
          e);
    }
    int code = process.waitFor();
    if (code != 0) {
      throw new OpsException(
          ExitCode.FAULT,
          "'" + String.join(" ", command) + "' ended with " + code + ": " + output + complaint);
    }
    return output;
  }

  private static String text(InputStream stream) throws IOException {
    return new String(stream.readAllBytes(), StandardCharsets.UTF_8).strip();
  }
}
