package io.silkkv.ops.bench.engine;

import io.silkkv.engine.IoPolicy;
import io.silkkv.ops.base.ByteSize;
import io.silkkv.ops.base.Choice;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The systems by name; a new one is added to {@link #define}, and nowhere else. The parent process
 * knows only the names: RocksDB's classes are on the worker's class path alone, and a factory
 * touches them when it is called.
 */
final class EngineSystems {
  private static final Map<String, Definition> DEFINITIONS = define();

  /** Opens an engine in a new directory. */
  @FunctionalInterface
  private interface Factory {
    MeasuredEngine open(Path directory, EngineSettings settings, Context context) throws Exception;
  }

  /**
   * A registered system.
   *
   * @param text one line for people
   * @param needs what must be known before it can run
   */
  private record Definition(String text, Needs needs, Factory factory) {}

  /** What a system must be told. */
  private enum Needs {
    NOTHING,
    /** It runs once for each rate of {@code --fixed-rate}. */
    FIXED_RATE,
    /** What the device carries. */
    DEVICE_RATE
  }

  /**
   * Besides the settings.
   *
   * @param fixedRate bytes per second for systems with a fixed rate; 0 for the others
   */
  record Context(LongSupplier nanoClock, long seed, long fixedRate) {}

  /**
   * One line of the report.
   *
   * @param label name in the report; holds the rate of a sweep
   * @param name the registered name
   * @param fixedRate as in {@link Context}
   */
  record Chosen(String label, String name, long fixedRate) {}

  private EngineSystems() {}

  private static Map<String, Definition> define() {
    Map<String, Definition> all = new LinkedHashMap<>();
    silkkv(all, "none", "no I/O scheduler", Needs.NOTHING, (settings, context) -> IoPolicy.none());
    silkkv(
        all,
        "fixed",
        "a fixed rate for flushes and compactions",
        Needs.FIXED_RATE,
        (settings, context) -> new IoPolicy.Fixed(context.fixedRate()));
    silkkv(
        all,
        "auto",
        "RocksDB's auto-tuned rate",
        Needs.DEVICE_RATE,
        (settings, context) -> new IoPolicy.AutoTuned(settings.deviceBytesPerSecond()));
    silkkv(
        all,
        "silk",
        "SILK's I/O scheduler",
        Needs.DEVICE_RATE,
        (settings, context) -> IoPolicy.silk(settings.deviceBytesPerSecond()));
    rocksdb(all, "", "RocksDB's own defaults", Needs.NOTHING, RocksVariant.DEFAULTS);
    rocksdb(all, "-paper", "as in SILK's evaluation", Needs.NOTHING, RocksVariant.PAPER);
    rocksdb(
        all,
        "-fixed",
        "a fixed rate for flushes and compactions",
        Needs.FIXED_RATE,
        RocksVariant.FIXED);
    rocksdb(all, "-auto", "its auto-tuned rate", Needs.DEVICE_RATE, RocksVariant.AUTO);
    rocksdb(
        all,
        "-nocompact",
        "flushes and compactions off after the pre-fill: the floor",
        Needs.NOTHING,
        RocksVariant.NO_COMPACTION);
    return all;
  }

  /** Makes the policy of a SilkKV system. */
  @FunctionalInterface
  private interface Policy {
    IoPolicy of(EngineSettings settings, Context context);
  }

  private static void silkkv(
      Map<String, Definition> all, String suffix, String text, Needs needs, Policy policy) {
    all.put(
        "silkkv-" + suffix,
        new Definition(
            "SilkKV: " + text,
            needs,
            (directory, settings, context) ->
                SilkEngine.open(directory, settings, policy.of(settings, context), context)));
  }

  private static void rocksdb(
      Map<String, Definition> all, String suffix, String text, Needs needs, RocksVariant variant) {
    all.put(
        "rocksdb" + suffix,
        new Definition(
            "RocksDB: " + text,
            needs,
            (directory, settings, context) ->
                RocksEngine.open(directory, settings, variant, context.fixedRate())));
  }

  static Set<String> names() {
    return DEFINITIONS.keySet();
  }

  /** One line about a system. */
  static String text(String name) {
    return Choice.of("system", name, DEFINITIONS).text();
  }

  /**
   * What runs for the names and rates that were typed: a system with a fixed rate once for each.
   *
   * @param deviceRate what the device carries; 0 when nobody said
   * @throws OpsException for an unknown name, a name that comes twice, or a rate that is missing
   */
  static List<Chosen> choose(List<String> names, List<Long> fixedRates, long deviceRate) {
    List<Chosen> chosen = new ArrayList<>();
    for (String name : names) {
      Definition definition = Choice.of("system", name, DEFINITIONS);
      if (definition.needs() == Needs.DEVICE_RATE && deviceRate == 0) {
        throw new OpsException(
            ExitCode.BAD_INPUT,
            "system '"
                + name
                + "' must know what the device carries: give --device-limit, or --device-rate for a"
                + " device without a limit");
      }
      if (definition.needs() != Needs.FIXED_RATE) {
        chosen.add(new Chosen(name, name, 0));
        continue;
      }
      if (fixedRates.isEmpty()) {
        throw new OpsException(
            ExitCode.BAD_INPUT,
            "system '" + name + "' needs a rate, e.g. --fixed-rate 50MB/s,75MB/s,90MB/s");
      }
      for (long rate : fixedRates) {
        chosen.add(new Chosen(name + "-" + ByteSize.text(rate), name, rate));
      }
    }
    long labels = chosen.stream().map(Chosen::label).distinct().count();
    if (labels < chosen.size()) {
      throw new OpsException(
          ExitCode.BAD_INPUT, "--systems: a system is named twice; for repetitions use --rounds");
    }
    return chosen;
  }

  /** Opens a system in a directory that holds nothing yet. For the worker. */
  static MeasuredEngine open(String name, Path directory, EngineSettings settings, Context context)
      throws Exception {
    return Choice.of("system", name, DEFINITIONS).factory().open(directory, settings, context);
  }
}
