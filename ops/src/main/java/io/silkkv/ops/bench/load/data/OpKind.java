package io.silkkv.ops.bench.load.data;

import java.util.Locale;

/** What an operation does. Figures are kept apart by it. */
public enum OpKind {
  PUT(0),
  GET(1),
  /** Reads up to a number of entries upwards from a key. */
  SCAN(2),
  DELETE(3),
  /** A scan that wants one entry: finds the first key at or after the given one. */
  SEEK(4),
  /** A get, and after its answer a put of the same key; one latency for both. */
  RMW(5);

  /** How many kinds there are. */
  public static final int COUNT = 6;

  private final int index;

  OpKind(int index) {
    this.index = index;
  }

  /** From 0 to {@link #COUNT} - 1, for arrays. */
  public int index() {
    return index;
  }

  /** The name in JSON and on the command line. */
  public String jsonName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The inverse of {@link #jsonName}. */
  public static OpKind ofJsonName(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }
}
