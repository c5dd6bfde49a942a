package io.silkkv.engine.sstable;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.cache.BlockCache;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.iterator.InternalIterator;
import io.silkkv.engine.testkit.MemFileSystem;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A table whose blocks are all in the cache: what filter, index and block search cost once nothing
 * has to be read. {@link #getUncached} reads from memory instead, with its check of the block.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class SSTableReaderBenchmark {
  private static final int ENTRIES = 20_000;
  private static final int VALUE_BYTES = 256;
  private static final int SCANNED = 100;

  private final MemFileSystem files = new MemFileSystem();
  private @Nullable SSTableReader cached;
  private @Nullable SSTableReader uncached;

  /** Where each thread is. */
  @State(Scope.Thread)
  public static class Reader {
    private final SplittableRandom random = new SplittableRandom(1);

    private Slice presentKey() {
      return Slice.utf8(Tables.numberedKey(random.nextInt(ENTRIES)));
    }

    /** Lies between present keys, so that only the filter and the block can tell. */
    private Slice absentKey() {
      return Slice.utf8(Tables.numberedKey(random.nextInt(ENTRIES)) + "+");
    }
  }

  @Setup
  public void write() {
    Tables.write(
        files, Tables.FILE, SSTableOptions.DEFAULTS, Tables.numbered(ENTRIES, VALUE_BYTES));
    cached = Tables.open(files, Tables.FILE, new BlockCache(64L << 20));
    uncached = Tables.open(files, Tables.FILE, new BlockCache(1));
    // One by one: a scan leaves most of the cache to others.
    for (int i = 0; i < ENTRIES; i++) {
      cached.get(Slice.utf8(Tables.numberedKey(i)), Tables.NEWEST, IoClass.CLIENT_READ);
    }
  }

  @TearDown
  public void close() {
    cached.close();
    uncached.close();
  }

  @Benchmark
  public @Nullable Found getCached(Reader reader) {
    return cached.get(reader.presentKey(), Tables.NEWEST, IoClass.CLIENT_READ);
  }

  @Benchmark
  public @Nullable Found getUncached(Reader reader) {
    return uncached.get(reader.presentKey(), Tables.NEWEST, IoClass.CLIENT_READ);
  }

  @Benchmark
  public @Nullable Found getAbsent(Reader reader) {
    return cached.get(reader.absentKey(), Tables.NEWEST, IoClass.CLIENT_READ);
  }

  @Benchmark
  @OperationsPerInvocation(SCANNED)
  public int scanCached(Reader reader) {
    int bytes = 0;
    try (InternalIterator position = cached.iterator(IoClass.CLIENT_READ, true)) {
      position.seek(reader.presentKey(), Tables.NEWEST);
      for (int i = 0; i < SCANNED; i++) {
        if (!position.valid()) {
          position.seekToFirst();
        }
        bytes += position.value().length();
        position.next();
      }
    }
    return bytes;
  }
}
