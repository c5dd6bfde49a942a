package io.silkkv.ops.load;

import java.util.Locale;

/** How a line says what to store. */
public enum LoadFormat {
  /** {@code key<TAB>value}, see {@link TsvText}. */
  TSV,
  /** One JSON object per line, see {@link JsonLine}. */
  JSONL;

  /** By the end of a file's name: .json, .jsonl and .ndjson hold JSON lines, all others TSV. */
  public static LoadFormat ofName(String fileName) {
    String name = fileName.toLowerCase(Locale.ROOT);
    return name.endsWith(".jsonl") || name.endsWith(".ndjson") || name.endsWith(".json")
        ? JSONL
        : TSV;
  }

  /**
   * What the line says.
   *
   * @throws UnreadableLineException when it cannot be used
   */
  KeyValue parse(byte[] line) throws UnreadableLineException {
    return this == TSV ? TsvText.parse(line) : JsonLine.parse(line);
  }
}
