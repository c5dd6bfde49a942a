package io.silkkv.ops.bench.engine;

import io.silkkv.ops.base.ByteSize;
import io.silkkv.ops.base.Choice;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say what is measured, and what all systems are given alike. */
final class SystemOptions {
  @Option(
      names = "--systems",
      paramLabel = "NAME",
      split = ",",
      description = "See below; they take turns in this order.")
  private List<String> systems = List.of();

  @Option(
      names = "--fixed-rate",
      paramLabel = "RATE",
      split = ",",
      description =
          "Of flushes and compactions in the -fixed systems, e.g. 50MB/s; several are a sweep.")
  private List<String> fixedRates = List.of();

  @Option(
      names = "--memtable",
      paramLabel = "SIZE",
      defaultValue = "64MiB",
      description = "Size of a memtable (default ${DEFAULT-VALUE}).")
  private String memtable = "";

  @Option(
      names = "--memtables",
      paramLabel = "N",
      defaultValue = "2",
      description = "Full memtables from which on writes wait (default ${DEFAULT-VALUE}).")
  private int memtables;

  @Option(
      names = "--cache",
      paramLabel = "SIZE",
      defaultValue = "256MiB",
      description = "Block cache (default ${DEFAULT-VALUE}).")
  private String cache = "";

  @Option(
      names = "--background-threads",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "For flushes and compactions together; SilkKV has three, rocksdb-paper four (default"
              + " ${DEFAULT-VALUE}).")
  private int backgroundThreads;

  @Option(
      names = "--block",
      paramLabel = "SIZE",
      description = "Size of a data block (default: each system's own).")
  private @Nullable String block;

  @Option(
      names = "--compression",
      paramLabel = "HOW",
      defaultValue = "none",
      description =
          "none, lz4, zstd, or tiers: none at the top, lz4, zstd at the bottom (default"
              + " ${DEFAULT-VALUE}). Values compress by --compressed-share.")
  private String compression = "";

  @Option(
      names = "--direct-io",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description =
          "Pass by the page cache (default). Without it, a limit only holds for what waits for the"
              + " disk.")
  private boolean directIo;

  /** The systems in the order of their turns. */
  List<EngineSystems.Chosen> systems(long deviceRate) {
    if (systems.isEmpty()) {
      throw refused("name what to measure, e.g. --systems silkkv-silk,rocksdb");
    }
    return EngineSystems.choose(
        systems,
        fixedRates.stream()
            .map(text -> atLeast("--fixed-rate", ByteSize.parseRate("--fixed-rate", text), 1 << 20))
            .toList(),
        deviceRate);
  }

  /**
   * What all are given.
   *
   * @param deviceRate what the device carries, in bytes per second; 0 when nobody said
   * @throws OpsException naming the option that is out of range
   */
  EngineSettings settings(long deviceRate) {
    if (memtables < 1 || memtables > 64) {
      throw refused("--memtables is " + memtables + ", but must be 1 to 64");
    }
    if (backgroundThreads < 1 || backgroundThreads > 64) {
      throw refused("--background-threads is " + backgroundThreads + ", but must be 1 to 64");
    }
    Map<String, TableCompression> compressions = new TreeMap<>();
    for (TableCompression each : TableCompression.values()) {
      compressions.put(each.name().toLowerCase(Locale.ROOT), each);
    }
    return new EngineSettings(
        atLeast("--memtable", ByteSize.parse("--memtable", memtable), 4 << 20),
        memtables,
        atLeast("--cache", ByteSize.parse("--cache", cache), 1 << 20),
        backgroundThreads,
        directIo,
        block == null ? 0 : (int) atLeast("--block", ByteSize.parse("--block", block), 1 << 10),
        Choice.of("--compression", compression, compressions),
        deviceRate);
  }

  private static long atLeast(String option, long bytes, long least) {
    if (bytes < least) {
      throw refused(option + " is " + bytes + " bytes, but must be at least " + least);
    }
    return bytes;
  }

  private static OpsException refused(String message) {
    return new OpsException(ExitCode.BAD_INPUT, message);
  }
}
