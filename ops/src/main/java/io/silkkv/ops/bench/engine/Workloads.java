package io.silkkv.ops.bench.engine;

import io.silkkv.ops.base.Choice;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import io.silkkv.ops.bench.load.Phase;
import io.silkkv.ops.bench.load.data.KeyChooser;
import io.silkkv.ops.bench.load.data.KeyFormat;
import io.silkkv.ops.bench.load.data.OpKind;
import io.silkkv.ops.bench.load.data.OperationMix.Share;
import io.silkkv.ops.bench.load.data.ValueSizes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The workloads by name; a new one is added to {@link #define}. They follow published ones: burst,
 * long peaks, the mixed sizes and the shape of the Nutanix trace are from SILK (Balmau et al.:
 * "SILK: Preventing Latency Spikes in Log-Structured Merge Key-Value Stores", USENIX ATC 2019),
 * YCSB's from Cooper et al. ("Benchmarking cloud serving systems with YCSB", SoCC 2010).
 */
final class Workloads {
  private static final int KIB = 1024;
  private static final double ZIPF = 0.99;
  private static final ValueSizes ONE_KIB = new ValueSizes.Fixed(KIB);

  /** Where the chance in the shape of a workload comes from: it is the same in every run. */
  private static final long SHAPE_SEED = 20190710;

  private static final Map<String, Definition> DEFINITIONS = define();

  /**
   * A workload before options change it.
   *
   * @param text one line for people
   * @param ordered whether keys lie in the order in which they come, else they are scattered
   * @param prefill whether a pre-fill makes sense
   */
  private record Definition(
      String text,
      Shape shape,
      Workload.Recipe recipe,
      ValueSizes sizes,
      boolean ordered,
      boolean prefill) {}

  /** Offered rates. */
  private sealed interface Shape {}

  private record Steady(double rate) implements Shape {}

  /** Peaks of given lengths, one after the other, with equal valleys between them. */
  private record Peaks(double rate, List<Double> seconds, double valleyRate, double valleySeconds)
      implements Shape {}

  /** As the description of the Nutanix trace. */
  private record Trace(double rate) implements Shape {}

  private Workloads() {}

  private static Map<String, Definition> define() {
    Map<String, Definition> all = new LinkedHashMap<>();
    Workload.Mix half = overwriting(Share.of(OpKind.PUT, 50), Share.of(OpKind.GET, 50));
    all.put(
        "fill",
        new Definition(
            "new keys in random order",
            new Steady(20_000),
            new Workload.Mix(1, List.of(), new KeyChooser.Uniform()),
            ONE_KIB,
            false,
            false));
    all.put(
        "burst",
        scattered(
            "peaks of 50 s and valleys of 10 s; put:get 50:50",
            new Peaks(20_000, List.of(50.0), 1_000, 10),
            half,
            ONE_KIB));
    all.put(
        "long-peak",
        scattered(
            "peaks of 10, 50, 100 and 500 s, each with a valley of 10 s; put:get 50:50",
            new Peaks(20_000, List.of(10.0, 50.0, 100.0, 500.0), 1_000, 10),
            half,
            ONE_KIB));
    all.put(
        "nutanix",
        scattered(
            "irregular peaks and short valleys; put:get:scan 57:41:2; sizes 64 B to 4 KiB",
            new Trace(20_000),
            overwriting(Share.of(OpKind.PUT, 57), Share.of(OpKind.GET, 41), Share.scans(2, 1, 100)),
            // The trace is not public. Ours: most entries a few hundred bytes, 484 on average.
            new ValueSizes.Mixed(
                List.of(
                    new ValueSizes.Range(30, 64, 255, true),
                    new ValueSizes.Range(60, 256, 1023, true),
                    new ValueSizes.Range(10, 1024, 4096, true)))));
    all.put(
        "mixed-size",
        scattered(
            "40 % of the values have 1-15 B, 59.9 % 16-1500 B, 0.1 % up to 1 MB; put:get 50:50",
            new Steady(10_000),
            half,
            new ValueSizes.Mixed(
                List.of(
                    new ValueSizes.Range(400, 1, 15, false),
                    new ValueSizes.Range(599, 16, 1500, false),
                    new ValueSizes.Range(1, 1501, 1_000_000, false)))));
    defineYcsb(all);
    all.put(
        "overwrite-space",
        scattered(
            "nothing but overwrites: how much space do old versions take",
            new Steady(8_000),
            overwriting(Share.of(OpKind.PUT, 1)),
            ONE_KIB));
    all.put(
        "delete-queue",
        new Definition(
            "a queue: append, seek from the beginning to its head, delete the head",
            new Steady(3_000),
            new Workload.Queue(),
            new ValueSizes.Fixed(256),
            true,
            true));
    return all;
  }

  private static void defineYcsb(Map<String, Definition> all) {
    Share read = Share.of(OpKind.GET, 1);
    ycsb(all, "a", "read:update 50:50", 0, read, Share.of(OpKind.PUT, 1));
    ycsb(all, "b", "read:update 95:5", 0, Share.of(OpKind.GET, 95), Share.of(OpKind.PUT, 5));
    ycsb(all, "c", "reads only", 0, read);
    all.put(
        "ycsb-d",
        scattered(
            "read:insert 95:5, the latest keys most",
            new Steady(10_000),
            new Workload.Mix(0.05, List.of(read), new KeyChooser.Latest(ZIPF)),
            ONE_KIB));
    ycsb(all, "e", "scan:insert 95:5, up to 100 entries", 0.05, Share.scans(1, 1, 100));
    ycsb(all, "f", "read:read-modify-write 50:50", 0, read, Share.of(OpKind.RMW, 1));
  }

  private static void ycsb(
      Map<String, Definition> all, String letter, String text, double inserts, Share... shares) {
    all.put(
        "ycsb-" + letter,
        scattered(
            text + "; zipfian",
            new Steady(10_000),
            new Workload.Mix(inserts, List.of(shares), new KeyChooser.Zipfian(ZIPF)),
            ONE_KIB));
  }

  private static Workload.Mix overwriting(Share... shares) {
    return new Workload.Mix(0, List.of(shares), new KeyChooser.Uniform());
  }

  private static Definition scattered(
      String text, Shape shape, Workload.Recipe recipe, ValueSizes sizes) {
    return new Definition(text, shape, recipe, sizes, false, true);
  }

  /** All names, in the order in which people should read them. */
  static Set<String> names() {
    return DEFINITIONS.keySet();
  }

  /** One line about a workload. */
  static String text(String name) {
    return Choice.of("workload", name, DEFINITIONS).text();
  }

  /** Whether a workload starts with data unless told otherwise. */
  static boolean wantsPrefill(String name) {
    return Choice.of("workload", name, DEFINITIONS).prefill();
  }

  /**
   * A workload with its options applied.
   *
   * @throws OpsException naming the option that is unknown, out of range or does not fit
   */
  static Workload create(WorkloadOptions options) {
    Definition definition = Choice.of("workload", options.name(), DEFINITIONS);
    Workload.Recipe recipe = recipe(definition, options);
    Integer valueBytes = options.valueBytes();
    if (valueBytes != null && valueBytes < 1) {
      throw refused("--value is " + valueBytes + ", but must be at least 1");
    }
    ValueSizes sizes = valueBytes == null ? definition.sizes() : new ValueSizes.Fixed(valueBytes);
    KeyFormat format = definition.ordered() ? new KeyFormat.Ordered() : new KeyFormat.Scattered();
    return new Workload(
        options.name(),
        phases(definition.shape(), options),
        recipe,
        sizes,
        options.keyBytes() == null ? format : padded(format, options.keyBytes()));
  }

  private static KeyFormat padded(KeyFormat format, int bytes) {
    if (bytes < 8 || bytes > 4096) {
      throw refused("--key is " + bytes + ", but must be 8 to 4096");
    }
    return bytes == 8 ? format : new KeyFormat.Padded(format, bytes);
  }

  private static List<Phase> phases(Shape shape, WorkloadOptions options) {
    boolean peaked = shape instanceof Peaks;
    if (!peaked
        && (options.peakSeconds() != null
            || options.valleySeconds() != null
            || options.valleyRate() != null)) {
      throw refused(
          "workload '"
              + options.name()
              + "' has no peaks and valleys to change; leave out --peak-seconds, --valley-seconds"
              + " and --valley-rate, or choose burst or long-peak");
    }
    List<Phase> phases;
    if (shape instanceof Peaks peaks) {
      phases = peaks(peaks, options);
    } else if (shape instanceof Trace trace) {
      phases = trace(trace.rate());
    } else {
      phases = List.of(new Phase(3600, ((Steady) shape).rate()));
    }
    Double rate = options.rate();
    if (rate == null) {
      return phases;
    }
    if (!(rate > 0 && rate <= 10_000_000)) {
      throw refused("--rate is " + rate + ", but must be above 0 and at most 10,000,000");
    }
    return Phase.scaledToPeak(phases, rate);
  }

  private static List<Phase> peaks(Peaks peaks, WorkloadOptions options) {
    List<Double> lengths = or(options.peakSeconds(), peaks.seconds());
    double valleySeconds = or(options.valleySeconds(), peaks.valleySeconds());
    // What is typed is meant as it is, so it must survive the scaling to the typed peak.
    double scale = or(options.rate(), peaks.rate()) / peaks.rate();
    double valleyRate =
        options.valleyRate() == null ? peaks.valleyRate() : options.valleyRate() / scale;
    if (valleyRate < 0 || valleyRate > peaks.rate()) {
      throw refused(
          "--valley-rate is " + options.valleyRate() + ", but must be 0 to the rate of the peaks");
    }
    if (valleySeconds < 0 || lengths.stream().anyMatch(seconds -> !(seconds > 0))) {
      throw refused("--peak-seconds must be above 0, and --valley-seconds not below 0");
    }
    List<Phase> phases = new ArrayList<>();
    for (double seconds : lengths) {
      phases.add(new Phase(seconds, peaks.rate()));
      if (valleySeconds > 0) {
        phases.add(new Phase(valleySeconds, valleyRate));
      }
    }
    return phases;
  }

  /**
   * An hour like the trace that SILK was measured with: of ten peaks, nine last 10 to 20 s; of a
   * hundred, two last 100 to 400 s. Peaks reach half of the highest rate or more; valleys of 5 to
   * 20 s have 1 to 5 % of it. The first peak is a full one, so that every run has one.
   */
  private static List<Phase> trace(double rate) {
    SplittableRandom random = new SplittableRandom(SHAPE_SEED);
    List<Phase> phases = new ArrayList<>();
    double total = 0;
    while (total < 3600) {
      double kind = random.nextDouble();
      double length;
      if (kind < 0.90) {
        length = random.nextDouble(10, 20);
      } else if (kind < 0.98) {
        length = random.nextDouble(20, 100);
      } else {
        length = random.nextDouble(100, 400);
      }
      double height = phases.isEmpty() ? 1 : random.nextDouble(0.5, 1);
      Phase peak = new Phase(length, rate * height);
      Phase valley = new Phase(random.nextDouble(5, 20), rate * random.nextDouble(0.01, 0.05));
      phases.add(peak);
      phases.add(valley);
      total += peak.seconds() + valley.seconds();
    }
    return phases;
  }

  private static Workload.Recipe recipe(Definition definition, WorkloadOptions options) {
    if (!(definition.recipe() instanceof Workload.Mix mix)) {
      if (options.mix() != null || options.keys() != null || options.scanEntries() != null) {
        throw refused(
            "workload '"
                + options.name()
                + "' has a fixed order of operations; leave out --mix, --keys and --scan-entries");
      }
      return definition.recipe();
    }
    int scanEntries = or(options.scanEntries(), 100);
    if (scanEntries < 1) {
      throw refused("--scan-entries is " + scanEntries + ", but must be at least 1");
    }
    List<Share> shares =
        options.mix() == null
            ? mix.shares().stream().map(share -> withLimit(share, scanEntries)).toList()
            : MixText.parse(options.mix(), scanEntries);
    double inserts = options.mix() == null ? mix.insertShare() : MixText.insertShare(options.mix());
    String keys = options.keys();
    KeyChooser chooser = keys == null ? mix.chooser() : chooser(keys);
    return new Workload.Mix(inserts, shares, chooser);
  }

  private static Share withLimit(Share share, int scanEntries) {
    return share.kind() == OpKind.SCAN ? Share.scans(share.weight(), 1, scanEntries) : share;
  }

  private static KeyChooser chooser(String name) {
    return Choice.of(
        "--keys",
        name,
        new TreeMap<>(
            Map.of(
                "uniform", new KeyChooser.Uniform(),
                "zipfian", new KeyChooser.Zipfian(ZIPF),
                "latest", new KeyChooser.Latest(ZIPF))));
  }

  private static <T> T or(@Nullable T given, T otherwise) {
    return given == null ? otherwise : given;
  }

  private static OpsException refused(String message) {
    return new OpsException(ExitCode.BAD_INPUT, message);
  }
}
