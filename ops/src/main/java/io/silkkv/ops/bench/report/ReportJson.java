package io.silkkv.ops.bench.report;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import io.silkkv.ops.bench.load.figures.GeneratorFigures;
import io.silkkv.ops.bench.report.MachineFacts.DeviceFacts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of a {@link RunReport}, both ways. Names in small letters are values; null stands
 * for what was not measured.
 *
 * <pre>
 * file    := {"format": "silkkv-bench-1", "command": text, "started": ISO 8601,
 *             "machine": machine, "systems": [system*], "results": [result*], "series": [series*]}
 * machine := {"cores": n, "memory_bytes": n, "cpu": text, "kernel": text, "jdk": text,
 *             "device": null | {"kind": text, "path": text, "limit_bytes_per_s": n,
 *                               "probe_write_bytes_per_s": n, "probe_read_bytes_per_s": n}}
 * system  := {"system": name, "options": {name: text, ...}}
 * result  := {"system": name, "workload": name, "op": name, figures of {@link Metric} by name,
 *             "valid": boolean, "rounds": n, "invalid_because": [text*],
 *             "range": {figure: [smallest round, largest round], ...}}
 * series  := {"system": name, "workload": name, "round": n, "mode": "open" | "closed",
 *             "offered": [n*], "ops": {op: {"finished": [n*], "p50_us": [n*], "p99_us": [n*],
 *             "max_us": [n*]}, ...}, "io": {class: [bytes*], ...}, "generator": {
 *             "lateness_p50_us": n, "lateness_p99_us": n, "lateness_max_us": n, "behind": share,
 *             "own_share": share, "unsent": n}, "reads_checked": n, "notes": [text*]}
 * </pre>
 *
 * {@code range} names only figures whose rounds differ. All lists of a series have one value per
 * second. Fields that a reader does not know are passed over; a reader refuses a format that it
 * does not know.
 */
public final class ReportJson {
  static final String FORMAT = "silkkv-bench-1";

  private static final double NANOS_PER_MICRO = 1e3;

  private static final Gson GSON =
      new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

  private ReportJson() {}

  /** Writes a report, replacing the file. */
  public static void write(Path file, RunReport report) throws IOException {
    Files.writeString(file, encode(report), StandardCharsets.UTF_8);
  }

  /**
   * Reads a report.
   *
   * @throws OpsException when the file is missing or is no report
   */
  public static RunReport read(Path file) {
    String text;
    try {
      text = Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new OpsException(
          ExitCode.BAD_INPUT,
          file + " cannot be read (" + unreadable + "); name a file that --json wrote",
          unreadable);
    }
    try {
      return decode(text);
    } catch (JsonParseException
        | IllegalStateException
        | IllegalArgumentException
        | UnsupportedOperationException broken) {
      throw new OpsException(
          ExitCode.BAD_INPUT,
          file + " is not what --json writes (" + broken.getMessage() + "); measure again",
          broken);
    }
  }

  /** One line per result and series, so that people and diff find their way. */
  static String encode(RunReport report) {
    JsonObject head = new JsonObject();
    head.addProperty("format", FORMAT);
    head.addProperty("command", report.command());
    head.addProperty("started", report.started());
    head.add("machine", machine(report.machine()));
    StringBuilder text = new StringBuilder("{\n");
    head.entrySet()
        .forEach(
            field ->
                text.append(GSON.toJson(field.getKey()))
                    .append(": ")
                    .append(GSON.toJson(field.getValue()))
                    .append(",\n"));
    list(text, "systems", report.systems().stream().map(ReportJson::system).toList());
    text.append(",\n");
    list(text, "results", report.rows().stream().map(ReportJson::row).toList());
    text.append(",\n");
    list(text, "series", report.series().stream().map(ReportJson::series).toList());
    return text.append("\n}\n").toString();
  }

  static RunReport decode(String text) {
    JsonObject json = JsonParser.parseString(text).getAsJsonObject();
    String format = at(json, "format").getAsString();
    if (!format.equals(FORMAT)) {
      throw new IllegalArgumentException("its format is " + format + ", not " + FORMAT);
    }
    return new RunReport(
        at(json, "command").getAsString(),
        at(json, "started").getAsString(),
        machine(at(json, "machine").getAsJsonObject()),
        objects(json, "systems").stream().map(ReportJson::system).toList(),
        objects(json, "results").stream().map(ReportJson::row).toList(),
        objects(json, "series").stream().map(ReportJson::series).toList());
  }

  private static void list(StringBuilder text, String name, List<JsonObject> elements) {
    text.append(GSON.toJson(name)).append(": [");
    for (int i = 0; i < elements.size(); i++) {
      text.append(i == 0 ? "\n" : ",\n").append(GSON.toJson(elements.get(i)));
    }
    text.append(elements.isEmpty() ? "]" : "\n]");
  }

  private static JsonObject machine(MachineFacts machine) {
    JsonObject json = new JsonObject();
    json.addProperty("cores", machine.cores());
    json.addProperty("memory_bytes", machine.memoryBytes());
    json.addProperty("cpu", machine.cpu());
    json.addProperty("kernel", machine.kernel());
    json.addProperty("jdk", machine.jdk());
    DeviceFacts device = machine.device();
    JsonObject deviceJson = null;
    if (device != null) {
      deviceJson = new JsonObject();
      deviceJson.addProperty("kind", device.kind());
      deviceJson.addProperty("path", device.path());
      deviceJson.addProperty("limit_bytes_per_s", number(device.limitBytesPerSecond()));
      deviceJson.addProperty("probe_write_bytes_per_s", number(device.probeWriteBytesPerSecond()));
      deviceJson.addProperty("probe_read_bytes_per_s", number(device.probeReadBytesPerSecond()));
    }
    json.add("device", deviceJson);
    return json;
  }

  private static MachineFacts machine(JsonObject json) {
    DeviceFacts device = null;
    if (at(json, "device").isJsonObject()) {
      JsonObject deviceJson = at(json, "device").getAsJsonObject();
      device =
          new DeviceFacts(
              at(deviceJson, "kind").getAsString(),
              at(deviceJson, "path").getAsString(),
              number(at(deviceJson, "limit_bytes_per_s")),
              number(at(deviceJson, "probe_write_bytes_per_s")),
              number(at(deviceJson, "probe_read_bytes_per_s")));
    }
    return new MachineFacts(
        at(json, "cores").getAsInt(),
        at(json, "memory_bytes").getAsLong(),
        at(json, "cpu").getAsString(),
        at(json, "kernel").getAsString(),
        at(json, "jdk").getAsString(),
        device);
  }

  private static JsonObject system(SystemFacts system) {
    JsonObject json = new JsonObject();
    json.addProperty("system", system.system());
    JsonObject options = new JsonObject();
    system.options().forEach(options::addProperty);
    json.add("options", options);
    return json;
  }

  private static SystemFacts system(JsonObject json) {
    Map<String, String> options = new LinkedHashMap<>();
    at(json, "options")
        .getAsJsonObject()
        .entrySet()
        .forEach(option -> options.put(option.getKey(), option.getValue().getAsString()));
    return new SystemFacts(at(json, "system").getAsString(), options);
  }

  private static JsonObject row(Row row) {
    JsonObject json = new JsonObject();
    json.addProperty("system", row.system());
    json.addProperty("workload", row.workload());
    json.addProperty("op", row.op());
    JsonObject ranges = new JsonObject();
    for (Metric metric : Metric.values()) {
      Figure figure = row.figure(metric);
      json.addProperty(metric.json(), number(figure.value()));
      if (figure.isKnown() && !figure.equals(Figure.of(figure.value()))) {
        JsonArray range = new JsonArray();
        range.add(number(figure.min()));
        range.add(number(figure.max()));
        ranges.add(metric.json(), range);
      }
    }
    json.addProperty("valid", row.valid());
    json.addProperty("rounds", row.rounds());
    json.add("invalid_because", texts(row.invalid()));
    json.add("range", ranges);
    return json;
  }

  private static Row row(JsonObject json) {
    Map<Metric, Figure> figures = new EnumMap<>(Metric.class);
    JsonObject ranges = at(json, "range").getAsJsonObject();
    for (Map.Entry<String, JsonElement> field : json.entrySet()) {
      Metric metric = Metric.ofJson(field.getKey()).orElse(null);
      if (metric == null || field.getValue().isJsonNull()) {
        continue;
      }
      double value = number(field.getValue());
      JsonArray range = ranges.getAsJsonArray(metric.json());
      figures.put(
          metric,
          range == null
              ? Figure.of(value)
              : new Figure(value, number(range.get(0)), number(range.get(1))));
    }
    return new Row(
        at(json, "system").getAsString(),
        at(json, "workload").getAsString(),
        at(json, "op").getAsString(),
        at(json, "rounds").getAsInt(),
        texts(at(json, "invalid_because")),
        figures);
  }

  private static JsonObject series(Series series) {
    JsonObject json = new JsonObject();
    json.addProperty("system", series.system());
    json.addProperty("workload", series.workload());
    json.addProperty("round", series.round());
    json.addProperty("mode", series.mode());
    json.add("offered", numbers(series.offered()));
    JsonObject ops = new JsonObject();
    series
        .ops()
        .forEach(
            (name, op) -> {
              JsonObject one = new JsonObject();
              one.add("finished", numbers(op.finished()));
              one.add("p50_us", numbers(op.p50()));
              one.add("p99_us", numbers(op.p99()));
              one.add("max_us", numbers(op.max()));
              ops.add(name, one);
            });
    json.add("ops", ops);
    JsonObject io = new JsonObject();
    series.io().forEach((name, bytes) -> io.add(name, numbers(bytes)));
    json.add("io", io);
    json.add("generator", generator(series.generator()));
    json.addProperty("reads_checked", series.readsChecked());
    json.add("notes", texts(series.notes()));
    return json;
  }

  private static JsonObject generator(GeneratorFigures figures) {
    JsonObject json = new JsonObject();
    json.addProperty("lateness_p50_us", number(figures.latenessP50() / NANOS_PER_MICRO));
    json.addProperty("lateness_p99_us", number(figures.latenessP99() / NANOS_PER_MICRO));
    json.addProperty("lateness_max_us", number(figures.latenessMax() / NANOS_PER_MICRO));
    json.addProperty("behind", number(figures.behind()));
    json.addProperty("own_share", number(figures.ownShare()));
    json.addProperty("unsent", figures.unsent());
    return json;
  }

  private static GeneratorFigures generator(JsonObject json) {
    return new GeneratorFigures(
        Math.round(number(at(json, "lateness_p50_us")) * NANOS_PER_MICRO),
        Math.round(number(at(json, "lateness_p99_us")) * NANOS_PER_MICRO),
        Math.round(number(at(json, "lateness_max_us")) * NANOS_PER_MICRO),
        number(at(json, "behind")),
        number(at(json, "own_share")),
        at(json, "unsent").getAsLong());
  }

  private static Series series(JsonObject json) {
    Map<String, OpSeries> ops = new LinkedHashMap<>();
    for (Map.Entry<String, JsonElement> entry : at(json, "ops").getAsJsonObject().entrySet()) {
      JsonObject op = entry.getValue().getAsJsonObject();
      ops.put(
          entry.getKey(),
          new OpSeries(
              numbers(at(op, "finished")),
              numbers(at(op, "p50_us")),
              numbers(at(op, "p99_us")),
              numbers(at(op, "max_us"))));
    }
    Map<String, List<Double>> io = new LinkedHashMap<>();
    at(json, "io")
        .getAsJsonObject()
        .entrySet()
        .forEach(entry -> io.put(entry.getKey(), numbers(entry.getValue())));
    return new Series(
        at(json, "system").getAsString(),
        at(json, "workload").getAsString(),
        at(json, "round").getAsInt(),
        at(json, "mode").getAsString(),
        numbers(at(json, "offered")),
        ops,
        io,
        generator(at(json, "generator").getAsJsonObject()),
        at(json, "reads_checked").getAsLong(),
        texts(at(json, "notes")));
  }

  private static List<JsonObject> objects(JsonObject json, String name) {
    List<JsonObject> objects = new ArrayList<>();
    at(json, name).getAsJsonArray().forEach(element -> objects.add(element.getAsJsonObject()));
    return objects;
  }

  private static JsonElement at(JsonObject json, String name) {
    JsonElement value = json.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the field " + name + " is missing");
    }
    return value;
  }

  private static JsonArray numbers(List<Double> values) {
    JsonArray array = new JsonArray(values.size());
    values.forEach(value -> array.add(number(value)));
    return array;
  }

  private static List<Double> numbers(JsonElement array) {
    List<Double> values = new ArrayList<>();
    array.getAsJsonArray().forEach(value -> values.add(number(value)));
    return values;
  }

  private static JsonArray texts(List<String> values) {
    JsonArray array = new JsonArray(values.size());
    values.forEach(array::add);
    return array;
  }

  private static List<String> texts(JsonElement array) {
    List<String> values = new ArrayList<>();
    array.getAsJsonArray().forEach(value -> values.add(value.getAsString()));
    return values;
  }

  /** Thousandths are enough for every figure; whole numbers are written without a point. */
  private static @Nullable Number number(double value) {
    if (Double.isNaN(value)) {
      return null;
    }
    double rounded = Math.rint(value * 1e3) / 1e3;
    if (rounded == Math.rint(rounded) && Math.abs(rounded) < 1e15) {
      return (long) rounded;
    }
    return rounded;
  }

  private static double number(JsonElement value) {
    return value.isJsonNull() ? Double.NaN : value.getAsDouble();
  }
}
