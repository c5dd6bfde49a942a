package io.silkkv.ops.bench.load.data;

import java.util.Arrays;

/** Looks at the entries of one scan as they come. For one thread at a time. */
public final class ScanCheck {
  private final Oracle oracle;
  private byte[] last;
  private int given;

  ScanCheck(Oracle oracle, byte[] start) {
    this.oracle = oracle;
    this.last = start;
  }

  /** The next entry. */
  public void entry(byte[] key, byte[] value) {
    int order = Arrays.compareUnsigned(last, key);
    if (order > 0 || (order == 0 && given > 0)) {
      oracle.mismatch(-1, "a scan gave " + Oracle.show(key) + " after " + Oracle.show(last));
    } else {
      oracle.checkEntry(key, value);
    }
    given++;
    last = key;
  }

  /** The scan says that there were so many entries. */
  public void ended(int entries, int limit) {
    if (entries != given || entries > limit) {
      oracle.mismatch(
          -1, "a scan of up to " + limit + " entries gave " + given + " and counted " + entries);
    }
  }
}
