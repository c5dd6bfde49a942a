package io.silkkv.engine.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.silkkv.engine.api.Compression;
import io.silkkv.engine.api.EngineIoException;
import io.silkkv.engine.api.PrefixRule;
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
  void aGetReadsFilterIndexAndDataAndTheNextNothing() {
    long before = reads();
    Found first = get(Tables.numberedKey(77));
    assertThat(reads()).isEqualTo(before + 3);
    Found second = get(Tables.numberedKey(77));

    assertThat(reads()).isEqualTo(before + 3);
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

    // The filter and the index once, and a data block for each of the few keys that pass.
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
    assertThat(reads() - before).isBetween(windows, windows + 5);
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

    assertThat(ranges.remove(0))
        .as("all indexes")
        .containsExactly(table.footer().indexes(), table.footer().top());
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
  void aShortClientScanFillsTheCache() {
    int count = 1000;
    assertThat(scanned(count)).isEqualTo(entries.subList(0, count));
    long after = reads();
    assertThat(scanned(count)).isEqualTo(entries.subList(0, count));

    assertThat(reads()).isEqualTo(after);
  }

  private List<Entry> scanned(int count) {
    List<Entry> seen = new ArrayList<>();
    try (InternalIterator position = table.iterator(IoClass.CLIENT_READ, true)) {
      for (position.seekToFirst(); seen.size() < count; position.next()) {
        seen.add(Entry.at(position));
      }
    }
    return seen;
  }

  @Test
  void aLongClientScanReadsAheadAndLeavesTheCacheToOthers() {
    long before = reads();
    assertThat(Tables.scan(table, true)).isEqualTo(entries);

    long windows = table.footer().dataEnd() / (256 << 10);
    assertThat(reads() - before).isLessThan(windows + 15);
    assertThat(cache.sizeBytes() - cache.metaBytes()).isBetween(200L << 10, 300L << 10);
  }

  @Test
  void jumpsReadSingleBlocks() {
    try (InternalIterator position = table.iterator(IoClass.CLIENT_READ, true)) {
      for (int i = 0; i < COUNT; i += 1999) {
        long before = reads();
        position.seek(Slice.utf8(Tables.numberedKey(i)), Tables.NEWEST);
        assertThat(Entry.at(position)).isEqualTo(entries.get(i));
        assertThat(reads() - before).isLessThanOrEqualTo(2);
      }
    }
  }

  @Test
  void aProbeAnswersFromTheCacheAndReadsNothing() {
    Slice key = Slice.utf8(Tables.numberedKey(77));
    long before = reads();
    assertThat(table.probe(key, Tables.NEWEST)).isSameAs(Found.UNKNOWN);
    assertThat(reads()).isEqualTo(before);
    Found found = get(Tables.numberedKey(77));
    long after = reads();

    assertThat(table.probe(key, Tables.NEWEST)).isEqualTo(found);
    assertThat(table.probe(Slice.utf8("a"), Tables.NEWEST)).isNull();
    assertThat(table.probe(entries.get(1000).key(), Tables.NEWEST)).isSameAs(Found.UNKNOWN);
    assertThat(reads()).isEqualTo(after);
  }

  @Test
  void keysInOrderShareBlocksEvenWithoutACache() {
    SSTableReader uncached = Tables.open(files, Tables.FILE, new BlockCache(0));
    TableLookup lookup = uncached.lookup(IoClass.CLIENT_READ);
    long before = reads();
    for (int i = 0; i < 100; i++) {
      Entry entry = entries.get(i);
      assertThat(lookup.find(entry.key(), Tables.NEWEST).value()).isEqualTo(entry.value());
    }

    assertThat(reads() - before).isEqualTo(3);
  }

  @Test
  void aScanOfAPrefixThatTheTableLacksIsKnownToBeEmpty() {
    MemFileSystem plain = new MemFileSystem();
    SSTableOptions options =
        new SSTableOptions(512, 16, 10, Compression.NONE, 0, PrefixRule.upTo((byte) '/'));
    List<Entry> some = new ArrayList<>();
    for (int user = 0; user < 100; user += 2) {
      for (int i = 0; i < 50; i++) {
        some.add(Tables.put("user" + (1000 + user) + "/" + (100 + i), 5, "value"));
      }
    }
    Tables.write(plain, Tables.FILE, options, some);
    SSTableReader prefixed = Tables.open(plain, Tables.FILE, cache);
    int passed = 0;
    for (int user = 0; user < 99; user++) {
      Slice lower = Slice.utf8("user" + (1000 + user) + "/");
      Slice upper = Slice.utf8("user" + (1000 + user) + "0");
      boolean may = prefixed.mayHoldRange(lower, upper, IoClass.CLIENT_READ);
      assertThat(may || user % 2 == 1).isTrue();
      passed += may ? 1 : 0;
    }

    assertThat(prefixed.top().size()).isGreaterThan(2);
    assertThat(passed).isLessThan(60);
    assertThat(
            prefixed.mayHoldRange(
                Slice.utf8("user1001/"), Slice.utf8("user9"), IoClass.CLIENT_READ))
        .as("more than one prefix")
        .isTrue();
  }

  @Test
  void closingDropsTheTableFromTheCache() {
    Tables.scan(table, true);
    table.close();

    assertThat(cache.sizeBytes()).isZero();
  }

  @Test
  void verifyPassesAGoodTableAndLeavesTheCacheAlone() {
    table.verify(() -> false);

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
  void aTableWithoutFilterIsSearched() {
    MemFileSystem plain = new MemFileSystem();
    Tables.write(
        plain,
        Tables.FILE,
        new SSTableOptions(4096, 16, 0, Compression.NONE, 0, PrefixRule.NONE),
        entries);
    SSTableReader unfiltered = Tables.open(plain, Tables.FILE, cache);

    assertThat(unfiltered.get(Slice.utf8("key1000005x"), 5, IoClass.CLIENT_READ)).isNull();
    unfiltered.verify(() -> false);
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
  void memoryIsSmallHoweverLargeTheTable() {
    assertThat(table.memoryBytes()).isLessThan(table.properties().fileBytes() / 1000);
  }
}
