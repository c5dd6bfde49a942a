package io.silkkv.ops.bench.load.data;

import io.silkkv.ops.bench.load.figures.OracleFigures;

/** Knows what reads may return. Thread-safe. */
public final class Oracle {
  private final KeyFormat keys;
  private final Values values;

  public Oracle(KeyFormat keys, Values values, int sampleOneIn) {
    this.keys = keys;
    this.values = values;
  }

  /** From now on the first keys are always there: a read that does not find one is a mismatch. */
  public void alwaysPresent(long keyCount) {
    throw new UnsupportedOperationException();
  }

  public byte[] key(long index) {
    return keys.key(index);
  }

  /** What was found so far. */
  public OracleFigures figures() {
    throw new UnsupportedOperationException();
  }
}
