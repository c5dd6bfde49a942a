package io.silkkv.engine.memtable;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.LittleEndian;
import io.silkkv.engine.base.ValueKind;
import io.silkkv.engine.iterator.InternalIterator;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A memtable of 64 MiB with keys of 8 bytes: what a put and a get cost in memory. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MemTableBenchmark {
  private static final long LIMIT = 64L << 20;
  private static final int ENTRIES = 100_000;
  private static final int SCANNED = 100;
  private static final Slice VALUE = Slice.wrap(new byte[256]);

  /** Keys that look random, each number its own. */
  private static Slice key(long number) {
    byte[] bytes = new byte[Long.BYTES];
    LittleEndian.putLong(bytes, 0, number * 0x9E3779B97F4A7C15L);
    return Slice.wrap(bytes);
  }

  /** A memtable that is written and replaced when it is full. */
  @State(Scope.Thread)
  public static class Growing {
    private final SlabPool pool = new SlabPool(2 * LIMIT, 1 << 20);
    private MemTable table = new MemTable(pool, LIMIT, new SplittableRandom(1));
    private long number;

    @TearDown
    public void release() {
      table.release();
      pool.close();
    }
  }

  /** A memtable with {@value #ENTRIES} entries. */
  @State(Scope.Benchmark)
  public static class Filled {
    private final SlabPool pool = new SlabPool(2 * LIMIT, 1 << 20);
    private final MemTable table = new MemTable(pool, LIMIT, new SplittableRandom(2));

    @Setup(Level.Trial)
    public void fill() {
      for (int i = 0; i < ENTRIES; i++) {
        table.add(ValueKind.PUT, key(i), i + 1, VALUE);
      }
    }

    @TearDown
    public void release() {
      table.release();
      pool.close();
    }
  }

  /** Where each reading thread is. */
  @State(Scope.Thread)
  public static class Reader {
    private final SplittableRandom random = new SplittableRandom(3);
  }

  @Benchmark
  public void insert(Growing growing) {
    if (growing.table.isFull()) {
      growing.table.release();
      growing.table = new MemTable(growing.pool, LIMIT, new SplittableRandom(1));
    }
    growing.number++;
    growing.table.add(ValueKind.PUT, key(growing.number), growing.number, VALUE);
  }

  @Benchmark
  public MemTable.@Nullable Entry get(Filled filled, Reader reader) {
    return filled.table.get(key(reader.random.nextInt(ENTRIES)), Long.MAX_VALUE >>> 8);
  }

  @Benchmark
  public MemTable.@Nullable Entry getAbsent(Filled filled, Reader reader) {
    return filled.table.get(key(ENTRIES + reader.random.nextInt(ENTRIES)), Long.MAX_VALUE >>> 8);
  }

  @Benchmark
  @OperationsPerInvocation(SCANNED)
  public int scan(Filled filled, Reader reader) {
    int bytes = 0;
    try (InternalIterator iterator = filled.table.iterator()) {
      iterator.seek(key(reader.random.nextInt(ENTRIES)), Long.MAX_VALUE >>> 8);
      for (int i = 0; i < SCANNED; i++) {
        if (!iterator.valid()) {
          iterator.seekToFirst();
        }
        bytes += iterator.value().length();
        iterator.next();
      }
    }
    return bytes;
  }
}
