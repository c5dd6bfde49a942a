package io.silkkv.ops.bench.engine;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.silkkv.ops.bench.load.Progress;
import io.silkkv.ops.bench.load.figures.Measurement;
import java.io.IOException;
import java.util.Map;

/**
 * What a worker tells its parent, one JSON object per line of its standard output:
 *
 * <pre>
 * line = {"type": name, "body": the record}
 * name = "stage" | "ready" | "probed" | "running" | "done" | "failed"
 * </pre>
 *
 * In order: stages; {@code ready}, after which the worker waits for the line {@code go}; {@code
 * probed} if a probe was asked for, after which it waits for {@code go} again; running; stages;
 * {@code done}. {@code failed} may come at any time and is the last. Both ends are of the same
 * build, so that the records are the format.
 */
sealed interface WorkerMessage {
  /** What the parent answers. */
  String GO = "go";

  Gson GSON = new GsonBuilder().serializeSpecialFloatingPointValues().create();

  Map<String, Class<? extends WorkerMessage>> TYPES =
      Map.of(
          "stage", Stage.class,
          "ready", Ready.class,
          "probed", Probed.class,
          "running", Running.class,
          "done", Done.class,
          "failed", Failed.class);

  /** What the worker does now, for people. */
  record Stage(String text) implements WorkerMessage {}

  /** Pre-fill and warm-up are over; the device may be limited now. */
  record Ready() implements WorkerMessage {}

  /** What the device carries. */
  record Probed(DeviceProbe.Result result) implements WorkerMessage {}

  /** How the measured phase goes; about once a second. */
  record Running(Progress progress) implements WorkerMessage {}

  /** The result; the worker ends. */
  record Done(Measurement measurement) implements WorkerMessage {}

  /**
   * There is no result; the worker ends.
   *
   * @param exitCode as a command would end with
   */
  record Failed(String message, int exitCode) implements WorkerMessage {}

  /** One line, without its end. */
  static String encode(WorkerMessage message) {
    for (Map.Entry<String, Class<? extends WorkerMessage>> type : TYPES.entrySet()) {
      if (type.getValue().isInstance(message)) {
        JsonObject json = new JsonObject();
        json.addProperty("type", type.getKey());
        json.add("body", GSON.toJsonTree(message));
        return GSON.toJson(json);
      }
    }
    throw new IllegalArgumentException("no name for " + message.getClass());
  }

  /**
   * @throws IOException when the line is not a message
   */
  static WorkerMessage decode(String line) throws IOException {
    try {
      JsonObject json = JsonParser.parseString(line).getAsJsonObject();
      JsonElement name = json.get("type");
      Class<? extends WorkerMessage> type = name == null ? null : TYPES.get(name.getAsString());
      if (type == null) {
        throw new IOException("the worker said something of unknown type: " + line);
      }
      return GSON.fromJson(json.get("body"), type);
    } catch (JsonParseException | IllegalStateException e) {
      throw new IOException("the worker said what is no message: " + line, e);
    }
  }
}
