package io.silkkv.ops.bench.engine;

import io.silkkv.ops.bench.load.EntrySink;
import io.silkkv.ops.bench.load.LoadTarget;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts what users put and get, for amplifications. Thread-safe. */
final class CountingTarget implements LoadTarget {
  private final LoadTarget target;
  private final LongAdder putBytes = new LongAdder();
  private final LongAdder gotBytes = new LongAdder();

  CountingTarget(LoadTarget target) {
    this.target = target;
  }

  /** Bytes of keys and values put. */
  long putBytes() {
    return putBytes.sum();
  }

  /** Bytes of values returned. */
  long gotBytes() {
    return gotBytes.sum();
  }

  @Override
  public void put(byte[] key, byte[] value) throws Exception {
    target.put(key, value);
    putBytes.add(key.length + value.length);
  }

  @Override
  public byte @Nullable [] get(byte[] key) throws Exception {
    byte[] value = target.get(key);
    gotBytes.add(value == null ? 0 : value.length);
    return value;
  }

  @Override
  public int scan(byte[] start, int limit, EntrySink sink) throws Exception {
    long[] bytes = new long[1];
    int count =
        target.scan(
            start,
            limit,
            (key, value) -> {
              bytes[0] += value.length;
              sink.entry(key, value);
            });
    gotBytes.add(bytes[0]);
    return count;
  }

  @Override
  public void delete(byte[] key) throws Exception {
    target.delete(key);
    putBytes.add(key.length);
  }

  @Override
  public void close() throws IOException {
    target.close();
  }
}
