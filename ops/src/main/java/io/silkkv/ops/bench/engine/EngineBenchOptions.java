package io.silkkv.ops.bench.engine;

import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** All options of the benchmark but where its results go. */
public final class EngineBenchOptions {
  @Mixin private final SystemOptions system = new SystemOptions();

  @Mixin private final LoadOptions load = new LoadOptions();

  @Mixin private final DeviceOptions device = new DeviceOptions();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Turns of each system; figures to be quoted need three (default ${DEFAULT-VALUE}).")
  private int rounds;

  /** The names to choose from, for the help. */
  public static List<String> choices() {
    List<String> lines = new ArrayList<>(List.of("", "Workloads:"));
    Workloads.names().forEach(name -> lines.add(line(name, Workloads.text(name))));
    lines.addAll(List.of("", "Systems:"));
    EngineSystems.names().forEach(name -> lines.add(line(name, EngineSystems.text(name))));
    return lines;
  }

  private static String line(String name, String text) {
    // The help treats a percent sign as the start of a format.
    return String.format(Locale.ROOT, "  %-18s %s", name, text).replace("%", "%%");
  }

  /**
   * @throws OpsException naming the option that is unknown or out of range
   */
  EngineBenchPlan plan() {
    if (rounds < 1 || rounds > 100) {
      throw new OpsException(
          ExitCode.BAD_INPUT, "--rounds is " + rounds + ", but must be 1 to 100");
    }
    long deviceRate = device.deviceRate();
    WorkloadOptions options = load.workload();
    Workload workload = Workloads.create(options);
    RunPlan run = load.plan();
    return new EngineBenchPlan(
        system.systems(deviceRate),
        options,
        system.settings(deviceRate),
        run,
        device.choose(workload, run),
        rounds);
  }
}
