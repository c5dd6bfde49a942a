package io.silkkv.ops.bench.load;

/** Takes the entries of a scan, in order. */
@FunctionalInterface
public interface EntrySink {
  void entry(byte[] key, byte[] value);
}
