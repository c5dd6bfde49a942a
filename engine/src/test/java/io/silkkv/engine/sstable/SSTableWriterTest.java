package io.silkkv.engine.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.silkkv.engine.api.Compression;
import io.silkkv.engine.api.EngineIoException;
import io.silkkv.engine.api.PrefixRule;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.ValueKind;
import io.silkkv.engine.cache.BlockCache;
import io.silkkv.engine.cache.BlockCache.Kind;
import io.silkkv.engine.io.FileSystem;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.WritableFile;
import io.silkkv.engine.sstable.Tables.Entry;
import io.silkkv.engine.testkit.FaultInjectingFileSystem;
import io.silkkv.engine.testkit.FaultInjectingFileSystem.Operation;
import io.silkkv.engine.testkit.MemFileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SSTableWriterTest {
  private final MemFileSystem files = new MemFileSystem();

  private SSTableWriter writer(FileSystem target) throws IOException {
    return new SSTableWriter(
        target.create(Tables.FILE, IoClass.FLUSH), Tables.FILE.toString(), SSTableOptions.DEFAULTS);
  }

  private static void add(SSTableWriter writer, Entry entry) {
    writer.add(entry.key(), entry.sequence(), entry.kind(), entry.value());
  }

  @Test
  void entriesOutOfOrderAreRefused() throws IOException {
    SSTableWriter writer = writer(files);
    add(writer, Tables.put("m", 5, "v"));

    for (Entry wrong :
        List.of(Tables.put("l", 9, ""), Tables.put("m", 5, ""), Tables.put("m", 6, ""))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> add(writer, wrong))
          .withMessageContaining("must ascend")
          .withMessageContaining("m @5");
    }
    add(writer, Tables.delete("m", 4));
    add(writer, Tables.put("n", 9, ""));
    assertThat(writer.finish().entries()).isEqualTo(3);
  }

  @Test
  void orderIsCheckedAcrossBlocks() throws IOException {
    SSTableWriter writer = writer(files);
    add(writer, Tables.put("m", 5, "v".repeat(20_000)));
    add(writer, Tables.put("n", 5, "v".repeat(20_000)));

    assertThatIllegalArgumentException().isThrownBy(() -> add(writer, Tables.put("m", 5, "")));
  }

  @Test
  void entriesOutOfRangeAreRefused() throws IOException {
    SSTableWriter writer = writer(files);

    for (long sequence : new long[] {-1, 1L << 56}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> add(writer, Tables.put("k", sequence, "v")))
          .withMessageContaining("sequence " + sequence);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> writer.add(Slice.utf8("k"), 1, ValueKind.DELETE, Slice.utf8("v")))
        .withMessageContaining("deletion");
  }

  @Test
  void extremeSequencesComeBack() throws IOException {
    List<Entry> entries =
        List.of(
            Tables.put("a", 0, "v"),
            Tables.put("b", (1L << 56) - 1, "v"),
            Tables.put("b", 0, "v"),
            Tables.put("c", (1L << 56) - 1, "v"));
    Tables.write(files, Tables.FILE, SSTableOptions.DEFAULTS, entries);

    assertThat(Tables.scan(Tables.open(files, Tables.FILE, new BlockCache(0)), true))
        .isEqualTo(entries);
  }

  @Test
  void aTableWithoutEntriesIsRefused() throws IOException {
    SSTableWriter writer = writer(files);

    assertThatIllegalStateException().isThrownBy(writer::finish);
  }

  @Test
  void callersMayReuseTheirArrays() throws IOException {
    SSTableWriter writer = writer(files);
    byte[] key = {0};
    byte[] value = {0};
    for (int i = 0; i < 100; i++) {
      key[0] = (byte) i;
      value[0] = (byte) -i;
      writer.add(Slice.wrap(key), 7, ValueKind.PUT, Slice.wrap(value));
    }
    SSTableProperties properties = writer.finish();
    List<Entry> read = Tables.scan(Tables.open(files, Tables.FILE, new BlockCache(0)), true);

    assertThat(properties.smallest()).isEqualTo(Slice.wrap(new byte[] {0}));
    assertThat(properties.largest()).isEqualTo(Slice.wrap(new byte[] {99}));
    assertThat(read).hasSize(100);
    assertThat(read.get(42).value()).isEqualTo(Slice.wrap(new byte[] {-42}));
  }

  @Test
  void largeValuesGetBlocksOfTheirOwn() throws IOException {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      int valueBytes = i % 2 == 0 ? 3 << 20 : 10;
      entries.add(Tables.put("key" + i, i, "v".repeat(valueBytes)));
    }
    Tables.write(files, Tables.FILE, SSTableOptions.DEFAULTS, entries);
    SSTableReader table = Tables.open(files, Tables.FILE, new BlockCache(1 << 20));
    IndexIterator index =
        new IndexIterator(table, new CachedBlocks(table, Kind.META, IoClass.CLIENT_READ));
    int blocks = 0;
    for (index.seekToFirst(); index.valid(); index.next()) {
      blocks++;
    }

    assertThat(blocks).isEqualTo(6);
    assertThat(Tables.scan(table, false)).isEqualTo(entries);
    assertThat(Tables.scan(table, true)).isEqualTo(entries);
  }

  @Test
  void estimatedSizeIsCloseToTheFinalSize() throws IOException {
    SSTableWriter writer = writer(files);
    for (Entry entry : Tables.numbered(20_000, 50)) {
      add(writer, entry);
    }
    long estimated = writer.estimatedSize();
    long actual = writer.finish().fileBytes();

    assertThat(actual).isEqualTo(files.size(Tables.FILE));
    assertThat(estimated).isBetween(actual - 1000, actual + 1000);
  }

  @Test
  void writesAreNoLargerThanOneGrantOfTheScheduler() {
    List<Integer> writes = new ArrayList<>();
    SSTableWriter writer =
        new SSTableWriter(
            new WritableFile() {
              @Override
              public void write(ByteBuffer bytes) {
                writes.add(bytes.remaining());
                bytes.position(bytes.limit());
              }

              @Override
              public long size() {
                return writes.stream().mapToLong(Integer::longValue).sum();
              }

              @Override
              public void sync() {}

              @Override
              public void close() {}
            },
            "counted",
            SSTableOptions.DEFAULTS);
    for (Entry entry : Tables.numbered(1000, 1000)) {
      add(writer, entry);
    }
    long size = writer.finish().fileBytes();

    assertThat(writes).allMatch(bytes -> bytes <= 128 << 10);
    assertThat(writes).hasSize((int) (size / (128 << 10)) + 1);
  }

  @Test
  void aFinishedTableSurvivesACrash() throws IOException {
    List<Entry> entries = Tables.numbered(1000, 100);
    Tables.write(files, Tables.FILE, SSTableOptions.DEFAULTS, entries);
    files.syncDirectory(Tables.FILE.getParent());
    MemFileSystem after = files.crashCloneLosingAll();

    assertThat(Tables.scan(Tables.open(after, Tables.FILE, new BlockCache(0)), true))
        .isEqualTo(entries);
  }

  @Test
  void failuresOfTheFileSystemAreNamed() throws IOException {
    for (Operation operation : List.of(Operation.WRITE, Operation.SYNC)) {
      FaultInjectingFileSystem faulty = new FaultInjectingFileSystem(new MemFileSystem());
      faulty.failAt(operation, 1);
      SSTableWriter writer = writer(faulty);
      add(writer, Tables.put("k", 1, "v"));

      assertThatExceptionOfType(EngineIoException.class)
          .isThrownBy(writer::finish)
          .withMessageContaining(Tables.FILE.toString());
      assertThatIllegalStateException().isThrownBy(writer::finish);
      writer.abandon();
      writer.abandon();
    }
  }

  @Test
  void afterAFailedWriteNothingCanBeAdded() throws IOException {
    FaultInjectingFileSystem faulty = new FaultInjectingFileSystem(files);
    faulty.failAt(Operation.WRITE, 1);
    SSTableWriter writer = writer(faulty);
    Slice large = Slice.wrap(new byte[1 << 20]);
    writer.add(Slice.utf8("a"), 1, ValueKind.PUT, large);

    assertThatExceptionOfType(EngineIoException.class)
        .isThrownBy(() -> writer.add(Slice.utf8("b"), 1, ValueKind.PUT, large));
    assertThatIllegalStateException()
        .isThrownBy(() -> writer.add(Slice.utf8("c"), 1, ValueKind.PUT, large));
    writer.abandon();
  }

  @Test
  void abandonAfterFinishKeepsTheTable() throws IOException {
    SSTableWriter writer = writer(files);
    add(writer, Tables.put("k", 1, "v"));
    writer.finish();
    writer.abandon();

    assertThat(Tables.scan(Tables.open(files, Tables.FILE, new BlockCache(0)), true)).hasSize(1);
  }

  @Test
  void optionsOutOfRangeAreAllNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SSTableOptions(63, 0, 65, Compression.NONE, 0, PrefixRule.NONE))
        .withMessageContaining("blockBytes must be 64 to 16777216, not 63")
        .withMessageContaining("restartInterval")
        .withMessageContaining("bloomBitsPerKey");
  }
}
