package io.silkkv.ops.bench.engine;

import io.silkkv.ops.base.ByteSize;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import io.silkkv.ops.bench.load.figures.Measurement;
import io.silkkv.ops.bench.report.MachineFacts;
import io.silkkv.ops.bench.report.RunProgress;
import io.silkkv.ops.local.Launcher;
import io.silkkv.ops.local.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Measures systems one after the other, each in a process of its own on a fresh device or in a
 * fresh directory. The limit of the device is set when a system has its data and has settled, is
 * probed from within the process, and holds until the debt is worked off. For one thread.
 */
public final class EngineBench {
  private static final Path MOUNTS = Path.of("/proc/mounts");
  private static final double PROBE_SECONDS = 1;

  /** How far off the probe may be; a limit is enforced in slices of a tenth of a second. */
  private static final double PROBE_TOLERANCE = 0.25;

  private final EngineBenchPlan plan;
  private final RunProgress progress;
  private DeviceProbe.@Nullable Result lastProbe;

  /**
   * @throws OpsException naming the option that is unknown or out of range
   */
  public EngineBench(EngineBenchOptions options, RunProgress progress) {
    this.plan = options.plan();
    this.progress = progress;
  }

  /**
   * What could be measured.
   *
   * @param measurements in the order in which they were taken
   * @param failures one line for each system that did not come to its end
   */
  public record Outcome(List<Measurement> measurements, List<String> failures) {}

  /**
   * Runs all rounds; in each, all systems take their turn. A system that fails does not keep the
   * others from being measured.
   *
   * @param finished is told after each measurement what there is so far
   * @throws OpsException when nothing can be measured here
   */
  public Outcome run(Launcher launcher, Consumer<List<Measurement>> finished)
      throws IOException, InterruptedException {
    List<Measurement> measurements = new ArrayList<>();
    List<String> failures = new ArrayList<>();
    for (int round = 1; round <= plan.rounds(); round++) {
      for (EngineSystems.Chosen system : plan.systems()) {
        try {
          measurements.add(measure(launcher, system, round));
          finished.accept(List.copyOf(measurements));
        } catch (OpsException e) {
          if (e.exitCode() == ExitCode.BAD_INPUT) {
            throw e;
          }
          failures.add(system.label() + ", round " + round + ": " + e.getMessage());
          progress.note("FAILED " + failures.get(failures.size() - 1));
        }
      }
    }
    return new Outcome(measurements, failures);
  }

  /** The machine, with the last device that was measured. */
  public MachineFacts machine() {
    DeviceChoice device = plan.device();
    DeviceProbe.Result probe = lastProbe;
    return MachineFacts.read(
        new MachineFacts.DeviceFacts(
            device.kind(),
            device.directory() == null ? "" : device.directory().toString(),
            device.limitBytesPerSecond() == 0 ? Double.NaN : device.limitBytesPerSecond(),
            probe == null ? Double.NaN : probe.writeBytesPerSecond(),
            probe == null ? Double.NaN : probe.readBytesPerSecond()));
  }

  private Measurement measure(Launcher launcher, EngineSystems.Chosen system, int round)
      throws IOException, InterruptedException {
    String what =
        system.label()
            + " under "
            + plan.workload().name()
            + (plan.rounds() > 1 ? ", round " + round : "");
    progress.note(what);
    try (Leftovers leftovers = new Leftovers(progress::note)) {
      Path device = makeDevice(leftovers);
      ControlGroup group = makeGroup(leftovers, device);
      EngineWorkerProcess worker = EngineWorkerProcess.start(launcher, plan.settings());
      leftovers.add("process " + worker.pid(), worker::kill);
      if (group != null) {
        group.add(worker.pid());
      }
      worker.give(
          new WorkerTask(
              system.label(),
              system.name(),
              system.fixedRate(),
              round,
              device.resolve("data").toString(),
              plan.settings().directIo() ? PROBE_SECONDS : 0,
              plan.workload(),
              plan.settings(),
              plan.run()));
      return listen(worker, group, what);
    } finally {
      progress.end();
    }
  }

  /** Returns a directory on the device. */
  private Path makeDevice(Leftovers leftovers) throws IOException, InterruptedException {
    Path parent = plan.device().directory();
    Path root =
        parent == null
            ? Files.createTempDirectory("silkkv-bench-")
            : Files.createTempDirectory(Files.createDirectories(parent), "silkkv-bench-");
    leftovers.add("directory " + root, () -> LocalCluster.deleteTree(root));
    if (parent != null) {
      return root;
    }
    RamDisk disk = new RamDisk(root);
    leftovers.add(
        "the RAM disk in " + root + " ('umount' its mounts and 'losetup --detach' its device)",
        disk::remove);
    disk.create(plan.device().ramBytes());
    return disk.directory();
  }

  private @Nullable ControlGroup makeGroup(Leftovers leftovers, Path device) throws IOException {
    if (plan.device().limitBytesPerSecond() == 0) {
      return null;
    }
    ControlGroup group =
        ControlGroup.create(
            Files.readAllLines(MOUNTS),
            "silkkv-bench-" + ProcessHandle.current().pid(),
            BlockDevice.of(device));
    leftovers.add("the control group " + group, group::close);
    return group;
  }

  private Measurement listen(EngineWorkerProcess worker, @Nullable ControlGroup group, String what)
      throws IOException, InterruptedException {
    while (true) {
      WorkerMessage message = worker.next();
      if (message instanceof WorkerMessage.Stage stage) {
        progress.note("  " + stage.text());
      } else if (message instanceof WorkerMessage.Ready) {
        if (group != null) {
          group.limit(plan.device().limitBytesPerSecond());
        }
        worker.go();
        if (!plan.settings().directIo()) {
          begin(what);
        }
      } else if (message instanceof WorkerMessage.Probed probed) {
        check(probed.result());
        worker.go();
        begin(what);
      } else if (message instanceof WorkerMessage.Running running) {
        progress.progress(running.progress());
      } else if (message instanceof WorkerMessage.Done done) {
        return done.measurement();
      }
    }
  }

  private void begin(String what) {
    progress.begin(what, plan.run().seconds(), !plan.run().closed());
  }

  /** A limit that does not hold makes every figure wrong. */
  private void check(DeviceProbe.Result probe) {
    lastProbe = probe;
    long limit = plan.device().limitBytesPerSecond();
    progress.note(
        String.format(
            Locale.ROOT,
            "  the device writes %s/s and reads %s/s (%s)",
            ByteSize.text(Math.round(probe.writeBytesPerSecond())),
            ByteSize.text(Math.round(probe.readBytesPerSecond())),
            limit == 0 ? "no limit" : "limit " + ByteSize.text(limit) + "/s"));
    if (limit > 0
        && (isOff(probe.writeBytesPerSecond(), limit)
            || isOff(probe.readBytesPerSecond(), limit))) {
      throw new OpsException(
          ExitCode.BAD_INPUT,
          "the limit of the device does not hold: it was set to "
              + ByteSize.text(limit)
              + "/s, but the probe above found something else. A disk that is slower than the limit"
              + " needs a lower one; '--device ram' is exact");
    }
  }

  private static boolean isOff(double found, long limit) {
    return Math.abs(found / limit - 1) > PROBE_TOLERANCE;
  }
}
