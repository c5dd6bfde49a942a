package io.silkkv.ops.local;

import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts SilkKV commands as child processes through {@code bin/silkkv}, because that script is the
 * one place that decides JVM flags. It replaces itself by the JVM, so that the child's process id
 * is the JVM's.
 *
 * @param script path of {@code bin/silkkv}
 * @param javaHome the JDK that the children use
 */
public record Launcher(Path script, Path javaHome) {

  /**
   * The launcher that started this process, with the same JDK.
   *
   * @throws OpsException when this process was started in another way
   */
  public static Launcher ofThisProcess() {
    String script = System.getProperty("silkkv.launcher", "");
    if (script.isEmpty() || !Files.isExecutable(Path.of(script))) {
      throw new OpsException(
          ExitCode.BAD_INPUT,
          "this command starts other processes through bin/silkkv, so start it that way too");
    }
    return new Launcher(Path.of(script), Path.of(System.getProperty("java.home", "")));
  }

  /** A process that is not started yet; its JDK is this one's. */
  public ProcessBuilder command(List<String> arguments) {
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("SILKKV_JAVA_HOME", javaHome.toString());
    return builder;
  }
}
