package io.silkkv.ops.bench.load.data;

import java.util.Locale;

/** What an operation does. Figures are kept apart by it. */
public enum OpKind {
  PUT,
  GET,
  /** Reads up to a number of entries upwards from a key. */
  SCAN,
  DELETE,
  /** A scan that wants one entry: finds the first key at or after the given one. */
  SEEK,
  /** A get, and after its answer a put of the same key; one latency for both. */
  RMW;

  /** The name in JSON and on the command line. */
  public String jsonName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The inverse of {@link #jsonName}. */
  public static OpKind ofJsonName(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }
}
