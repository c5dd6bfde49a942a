package io.silkkv.ops.load;

import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.MalformedJsonException;
import java.io.EOFException;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A line that is one JSON object in UTF-8: {@code {"key": "...", "value": "..."}}. Bytes that are
 * not text come as {@code key_base64} and {@code value_base64} in their place. Other members are
 * errors, so that a misspelt one is not lost.
 */
final class JsonLine {
  private JsonLine() {}

  static KeyValue parse(byte[] line) throws UnreadableLineException {
    byte @Nullable [] key = null;
    byte @Nullable [] value = null;
    try (JsonReader json = new JsonReader(new StringReader(text(line)))) {
      json.setStrictness(Strictness.STRICT);
      json.beginObject();
      while (json.hasNext()) {
        String name = json.nextName();
        boolean isKey = name.startsWith("key");
        byte[] bytes =
            switch (name) {
              case "key", "value" -> string(json, name).getBytes(StandardCharsets.UTF_8);
              case "key_base64", "value_base64" -> base64(string(json, name), name);
              default ->
                  throw new UnreadableLineException(
                      "unknown member \""
                          + name
                          + "\": known are key, value, key_base64 and"
                          + " value_base64");
            };
        if ((isKey ? key : value) != null) {
          throw new UnreadableLineException("the " + (isKey ? "key" : "value") + " is given twice");
        }
        if (isKey) {
          key = bytes;
        } else {
          value = bytes;
        }
      }
      json.endObject();
      if (json.peek() != JsonToken.END_DOCUMENT) {
        throw new UnreadableLineException("not one JSON object: more follows it");
      }
    } catch (MalformedJsonException | EOFException | IllegalStateException e) {
      throw new UnreadableLineException("not one JSON object: " + firstLine(e));
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
    if (key == null || key.length == 0) {
      throw new UnreadableLineException("the key is missing or empty");
    }
    if (value == null) {
      throw new UnreadableLineException("the value is missing");
    }
    return new KeyValue(key, value);
  }

  private static String text(byte[] line) throws UnreadableLineException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line)).toString();
    } catch (CharacterCodingException e) {
      throw new UnreadableLineException("not UTF-8 text; put other bytes into value_base64");
    }
  }

  private static String string(JsonReader json, String name)
      throws IOException, UnreadableLineException {
    if (json.peek() != JsonToken.STRING) {
      throw new UnreadableLineException("\"" + name + "\" is not a string");
    }
    return json.nextString();
  }

  private static byte[] base64(String text, String name) throws UnreadableLineException {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new UnreadableLineException("\"" + name + "\" is not base64: " + e.getMessage());
    }
  }

  private static String firstLine(Exception e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("it ends too early");
  }
}
