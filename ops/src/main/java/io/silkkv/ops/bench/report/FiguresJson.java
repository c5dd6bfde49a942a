package io.silkkv.ops.bench.report;

import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import com.google.gson.TypeAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import io.silkkv.ops.bench.load.data.OpKind;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The records of {@code bench.load.figures} as lines of JSON, from the process that holds a system
 * to the one that reports. Both are the same build, so names and units are those of the records; a
 * file for people and scripts is {@link ReportJson}.
 */
public final class FiguresJson {
  private static final Gson GSON =
      new GsonBuilder()
          .setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES)
          .serializeSpecialFloatingPointValues()
          .registerTypeAdapter(OpKind.class, new OpKindAdapter())
          .create();

  private FiguresJson() {}

  /** One line without its end. */
  public static String line(Record figures) {
    return GSON.toJson(figures);
  }

  /**
   * The inverse of {@link #line}.
   *
   * @throws OpsException when the line is no such record
   */
  public static <T extends Record> T parse(String line, Class<T> type) {
    T figures;
    try {
      figures = GSON.fromJson(line, type);
    } catch (JsonParseException broken) {
      throw notFigures(line, type, broken);
    }
    if (figures == null) {
      throw notFigures(line, type, null);
    }
    return figures;
  }

  private static OpsException notFigures(String line, Class<?> type, @Nullable Throwable cause) {
    String shown = line.length() <= 200 ? line : line.substring(0, 200) + "...";
    return new OpsException(
        ExitCode.FAULT,
        "a worker process wrote '"
            + shown
            + "' where "
            + type.getSimpleName()
            + " was expected;"
            + " its log says why",
        cause);
  }

  /** Operations by their names in JSON. */
  private static final class OpKindAdapter extends TypeAdapter<OpKind> {
    @Override
    public void write(JsonWriter out, OpKind value) throws IOException {
      out.value(value.jsonName());
    }

    @Override
    public OpKind read(JsonReader in) throws IOException {
      String name = in.nextString();
      try {
        return OpKind.ofJsonName(name);
      } catch (IllegalArgumentException unknown) {
        throw new JsonParseException("no operation is named " + name, unknown);
      }
    }
  }
}
