package io.silkkv.ops.bench.engine;

import io.silkkv.ops.base.ByteSize;
import io.silkkv.ops.base.Choice;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import io.silkkv.ops.bench.load.Schedule;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say what is asked of the systems, and for how long. */
final class LoadOptions {
  private static final double MOST_SECONDS = 86_400;

  @Option(
      names = "--workload",
      paramLabel = "NAME",
      defaultValue = "burst",
      description = "See below (default ${DEFAULT-VALUE}).")
  private String workload = "";

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Operations per second of the peak; all else is scaled with it.")
  private @Nullable Double rate;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "open",
      description =
          "open: by a schedule, latency from the intended time. closed: as fast as --threads get"
              + " answers (default ${DEFAULT-VALUE}).")
  private String mode = "";

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "8",
      description = "Threads that send operations (default ${DEFAULT-VALUE}).")
  private int threads;

  @Option(
      names = "--arrivals",
      paramLabel = "HOW",
      defaultValue = "even",
      description = "even or poisson, in an open loop (default ${DEFAULT-VALUE}).")
  private String arrivals = "";

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "180",
      description = "Length of the measured phase (default ${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--ops",
      paramLabel = "N",
      defaultValue = "9223372036854775807",
      hideParamSyntax = true,
      description = "Most operations in it (default: no bound).")
  private long operations;

  @Option(
      names = "--prefill",
      paramLabel = "SIZE",
      description = "Keys and values before, e.g. 2GB (default 1GB; fill: none).")
  private @Nullable String prefill;

  @Option(
      names = "--warm-up-seconds",
      paramLabel = "S",
      defaultValue = "15",
      description = "Load at the peak's rate before the measured phase (default ${DEFAULT-VALUE}).")
  private double warmUpSeconds;

  @Option(
      names = "--settle-seconds",
      paramLabel = "S",
      defaultValue = "600",
      description =
          "Longest wait, before the measured phase, for the tree to settle (default"
              + " ${DEFAULT-VALUE}).")
  private double settleSeconds;

  @Option(
      names = "--drain-seconds",
      paramLabel = "S",
      defaultValue = "600",
      description =
          "Longest wait, after it, for the debt to be worked off (default ${DEFAULT-VALUE}).")
  private double drainSeconds;

  @Option(
      names = "--mix",
      paramLabel = "SHARES",
      description = "Kinds of operations, e.g. put=57,get=41,scan=2; insert puts new keys.")
  private @Nullable String mix;

  @Option(
      names = "--keys",
      paramLabel = "HOW",
      description = "How keys are chosen: uniform, zipfian or latest.")
  private @Nullable String keys;

  @Option(names = "--key", paramLabel = "BYTES", description = "Length of keys, 8 or more.")
  private @Nullable Integer keyBytes;

  @Option(names = "--value", paramLabel = "BYTES", description = "Length of all values.")
  private @Nullable Integer valueBytes;

  @Option(
      names = "--scan-entries",
      paramLabel = "N",
      description = "Most entries of a scan (default 100).")
  private @Nullable Integer scanEntries;

  @Option(
      names = "--peak-seconds",
      paramLabel = "S",
      split = ",",
      description = "Lengths of the peaks, one after the other.")
  private @Nullable List<Double> peakSeconds;

  @Option(names = "--valley-seconds", paramLabel = "S", description = "Length of the valleys.")
  private @Nullable Double valleySeconds;

  @Option(
      names = "--valley-rate",
      paramLabel = "N",
      description = "Operations per second in the valleys.")
  private @Nullable Double valleyRate;

  @Option(
      names = "--compressed-share",
      paramLabel = "X",
      defaultValue = "1",
      description =
          "What a compressor leaves of a value, from 0 to 1 (default ${DEFAULT-VALUE}: not"
              + " compressible).")
  private double compressedShare;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "20260101",
      description = "Of everything that is drawn; the same for all (default ${DEFAULT-VALUE}).")
  private long seed;

  /** What is asked. */
  WorkloadOptions workload() {
    return new WorkloadOptions(
        workload,
        rate,
        mix,
        keys,
        keyBytes,
        valueBytes,
        scanEntries,
        peakSeconds,
        valleySeconds,
        valleyRate);
  }

  /**
   * How it is measured.
   *
   * @throws OpsException naming the option that is out of range
   */
  RunPlan plan() {
    within("--threads", threads, 1, 1024);
    within("--seconds", seconds, 1, MOST_SECONDS);
    if (operations < 1) {
      throw refused("--ops is " + operations + ", but must be at least 1");
    }
    within("--warm-up-seconds", warmUpSeconds, 0, MOST_SECONDS);
    within("--settle-seconds", settleSeconds, 0, MOST_SECONDS);
    within("--drain-seconds", drainSeconds, 0, MOST_SECONDS);
    if (!(compressedShare > 0 && compressedShare <= 1)) {
      throw refused("--compressed-share is " + compressedShare + ", but must be above 0, up to 1");
    }
    Map<String, Boolean> modes = new TreeMap<>(Map.of("open", false, "closed", true));
    Map<String, Schedule.Arrivals> kinds =
        new TreeMap<>(Map.of("even", Schedule.Arrivals.EVEN, "poisson", Schedule.Arrivals.POISSON));
    boolean closed = Choice.of("--mode", mode, modes);
    if (closed && rate != null) {
      throw refused("--mode closed has no --rate: it sends as fast as it is answered");
    }
    return new RunPlan(
        closed,
        threads,
        seconds,
        operations,
        Choice.of("--arrivals", arrivals, kinds),
        prefillBytes(),
        warmUpSeconds,
        settleSeconds,
        drainSeconds,
        compressedShare,
        seed);
  }

  private long prefillBytes() {
    if (prefill != null) {
      return ByteSize.parse("--prefill", prefill);
    }
    return Workloads.wantsPrefill(workload) ? 1_000_000_000 : 0;
  }

  private static void within(String option, double value, double least, double most) {
    if (!(value >= least && value <= most)) {
      throw refused(
          option + " is " + value + ", but must be " + (long) least + " to " + (long) most);
    }
  }

  private static OpsException refused(String message) {
    return new OpsException(ExitCode.BAD_INPUT, message);
  }
}
