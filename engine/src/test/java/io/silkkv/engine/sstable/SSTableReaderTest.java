package io.silkkv.engine.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.silkkv.engine.api.Compression;
import io.silkkv.engine.api.EngineIoException;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.ValueKind;
import io.silkkv.engine.cache.BlockCache;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.ReadableFile;
import io.silkkv.engine.iterator.InternalIterator;
import io.silkkv.engine.sstable.Tables.Entry;
import io.silkkv.engine.testkit.FaultInjectingFileSystem;
import io.silkkv.engine.testkit.FaultInjectingFileSystem.Operation;
import io.silkkv.engine.testkit.MemFileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class SSTableReaderTest {
  private static final int COUNT = 20_000;

  private final FaultInjectingFileSystem files = new FaultInjectingFileSystem(new MemFileSystem());
  private final BlockCache cache = new BlockCache(64 << 20);
  private final List<Entry> entries = Tables.numbered(COUNT, 100);
  private SSTableReader table;

  @BeforeEach
  void writeAndOpen() {
    Tables.write(files, Tables.FILE, SSTableOptions.DEFAULTS, entries);
    table = Tables.open(files, Tables.FILE, cache);
  }

  private Found get(String key) {
    return table.get(Slice.utf8(key), Tables.NEWEST, IoClass.CLIENT_READ);
  }

  private long reads() {
    return files.count(Operation.READ);
  }

  @Test
  void aGetReadsOneBlockAndTheNextNone() {
    long before = reads();
    Found first = get(Tables.numberedKey(77));
    assertThat(reads()).isEqualTo(before + 1);
    Found second = get(Tables.numberedKey(77));

    assertThat(reads()).isEqualTo(before + 1);
    assertThat(first)
        .isEqualTo(second)
        .isEqualTo(new Found(ValueKind.PUT, 1077, entries.get(77).value()));
    assertThat(first.value().array()).isSameAs(second.value().array());
  }

  @Test
  void mostAbsentKeysAreAnsweredWithoutReading() {
    long before = reads();
    for (int i = 0; i < 1000; i++) {
      assertThat(get(Tables.numberedKey(i) + "x")).isNull();
    }

    assertThat(reads() - before).isLessThan(50);
  }

  @Test
  void keysOutsideOfTheTableAreAbsent() {
    assertThat(get("a")).isNull();
    assertThat(get("z")).isNull();
    assertThat(get("")).isNull();
  }

  @Test
  void aCompactionReadsAheadAndLeavesTheCacheAlone() {
    long before = reads();
    long misses = cache.misses();
    assertThat(Tables.scan(table, false)).isEqualTo(entries);

    long windows = table.properties().fileBytes() / (256 << 10);
    assertThat(reads() - before).isBetween(windows, windows + 4);
    assertThat(cache.sizeBytes()).isZero();
    assertThat(cache.misses()).isEqualTo(misses);
  }

  @Test
  void readingAheadReadsNoByteTwice() throws IOException {
    List<long[]> ranges = new ArrayList<>();
    ReadableFile file = files.open(Tables.FILE);
    SSTableReader watched =
        SSTableReader.open(new Watched(file, ranges), "watched", cache.newId(), cache);
    ranges.clear();
    assertThat(Tables.scan(watched, false)).isEqualTo(entries);

    long end = 0;
    for (long[] range : ranges) {
      assertThat(range[0]).isEqualTo(end);
      assertThat(range[0] % 4096).isZero();
      end = range[1];
    }
    assertThat(end).isEqualTo(table.footer().dataEnd());
    watched.close();
  }

  /** Notes the ranges that are read. */
  private record Watched(ReadableFile file, List<long[]> ranges) implements ReadableFile {
    @Override
    public void read(long offset, ByteBuffer target, IoClass why) throws IOException {
      ranges.add(new long[] {offset, offset + target.remaining()});
      file.read(offset, target, why);
    }

    @Override
    public long size() {
      return file.size();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  @Test
  void aClientScanFillsTheCache() {
    Tables.scan(table, true);
    long after = reads();
    Tables.scan(table, true);

    assertThat(reads()).isEqualTo(after);
    assertThat(cache.sizeBytes()).isGreaterThan(table.footer().dataEnd());
  }

  @Test
  void closingDropsTheTableFromTheCache() {
    Tables.scan(table, true);
    table.close();

    assertThat(cache.sizeBytes()).isZero();
  }

  @Test
  void verifyPassesAGoodTableAndLeavesTheCacheAlone() {
    table.verify();

    assertThat(cache.sizeBytes()).isZero();
  }

  @Test
  void aFailedReadIsNamedAndTheNextOneWorks() {
    files.failAt(Operation.READ, 1);

    assertThatExceptionOfType(EngineIoException.class)
        .isThrownBy(() -> get(Tables.numberedKey(5)))
        .withMessageContaining(Tables.FILE.toString());
    assertThat(get(Tables.numberedKey(5))).isNotNull();
  }

  @Test
  void aFailedReadAheadLeavesTheIteratorUsable() {
    try (InternalIterator position = table.iterator(IoClass.DEEP, false)) {
      position.seekToFirst();
      files.failWhen(call -> call.operation() == Operation.READ);
      assertThatExceptionOfType(EngineIoException.class).isThrownBy(position::seekToLast);
      assertThat(position.valid()).isFalse();
      files.heal();
      position.seekToFirst();

      assertThat(Entry.at(position)).isEqualTo(entries.get(0));
    }
  }

  @Test
  void anIteratorWithoutPositionRefusesToMoveOrAnswer() {
    try (InternalIterator position = table.iterator(IoClass.CLIENT_READ, true)) {
      assertThatIllegalStateException().isThrownBy(position::next);
      position.seekToLast();
      position.next();

      assertThat(position.valid()).isFalse();
      assertThatIllegalStateException().isThrownBy(position::prev);
      assertThatIllegalStateException().isThrownBy(position::key);
    }
  }

  @Test
  void aTableWithoutFilterMayContainEverything() {
    MemFileSystem plain = new MemFileSystem();
    Tables.write(plain, Tables.FILE, new SSTableOptions(4096, 16, 0, Compression.NONE), entries);
    SSTableReader unfiltered = Tables.open(plain, Tables.FILE, cache);

    assertThat(unfiltered.mayContain(Slice.utf8("absent"))).isTrue();
    assertThat(unfiltered.get(Slice.utf8("key1000005x"), 5, IoClass.CLIENT_READ)).isNull();
    unfiltered.verify();
  }

  @Test
  void threadsReadTheSameTableAtOnce() {
    List<CompletableFuture<Integer>> readers =
        IntStream.range(0, 4)
            .mapToObj(offset -> CompletableFuture.supplyAsync(() -> countFound(offset, 7)))
            .toList();

    assertThat(readers).allSatisfy(reader -> assertThat(reader.join()).isEqualTo(COUNT / 7));
  }

  private int countFound(int offset, int step) {
    int found = 0;
    for (int i = 0; i < COUNT / step; i++) {
      Entry expected = entries.get(offset + i * step);
      Found actual = table.get(expected.key(), Tables.NEWEST, IoClass.CLIENT_READ);
      found += actual != null && actual.value().equals(expected.value()) ? 1 : 0;
    }
    return found;
  }

  @Test
  void memoryIsIndexAndFilter() {
    assertThat(table.memoryBytes())
        .isGreaterThan(COUNT * 10L / 8)
        .isLessThan(table.properties().fileBytes() / 10);
  }
}
