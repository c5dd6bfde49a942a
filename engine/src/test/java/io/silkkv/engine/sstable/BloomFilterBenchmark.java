package io.silkkv.engine.sstable;

import io.silkkv.engine.api.Slice;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A filter of the keys of a table: what asking it and building it cost. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class BloomFilterBenchmark {
  private static final int KEYS = 100_000;

  private final Slice[] present = new Slice[KEYS];
  private final Slice[] absent = new Slice[KEYS];
  private Slice filter = build(new Slice[] {Slice.EMPTY});
  private int next;

  @Setup
  public void fill() {
    for (int i = 0; i < KEYS; i++) {
      present[i] = Slice.utf8("user:" + 1_000_000 * 7L * i);
      absent[i] = Slice.utf8("user:" + (1_000_000 * 7L * i + 1));
    }
    filter = build(present);
  }

  private static Slice build(Slice[] keys) {
    BloomFilter.Builder builder =
        new BloomFilter.Builder(SSTableOptions.DEFAULTS.bloomBitsPerKey());
    for (Slice key : keys) {
      builder.add(key);
    }
    ByteSink sink = new ByteSink(1 << 10);
    builder.finish(sink);
    return Slice.wrap(sink.array(), 0, sink.size());
  }

  private int next() {
    next = next + 1 < KEYS ? next + 1 : 0;
    return next;
  }

  @Benchmark
  public boolean mayContainPresent() {
    return BloomFilter.mayContain(filter, BloomFilter.hash(present[next()]));
  }

  @Benchmark
  public boolean mayContainAbsent() {
    return BloomFilter.mayContain(filter, BloomFilter.hash(absent[next()]));
  }

  /** Per key. */
  @Benchmark
  @OperationsPerInvocation(KEYS)
  public Slice build() {
    return build(present);
  }
}
