package io.silkkv.engine.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.silkkv.engine.api.Compression;
import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.api.EngineException;
import io.silkkv.engine.api.FormatTooNewException;
import io.silkkv.engine.api.FormatTooOldException;
import io.silkkv.engine.api.PrefixRule;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.UnsupportedFormatException;
import io.silkkv.engine.base.Crc32c;
import io.silkkv.engine.base.LittleEndian;
import io.silkkv.engine.cache.BlockCache.Kind;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.iterator.InternalIterator;
import io.silkkv.engine.sstable.Tables.Entry;
import io.silkkv.engine.testkit.Seeded;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Damage of every kind is named, and never becomes a wrong answer or another exception. */
@Timeout(120)
final class SSTableCorruptionTest {
  private static final SSTableOptions OPTIONS =
      new SSTableOptions(128, 4, 10, Compression.NONE, 0, PrefixRule.upTo((byte) 'e'));

  @RegisterExtension final Seeded seeded = new Seeded();

  private final List<Entry> entries = new ArrayList<>();

  SSTableCorruptionTest() {
    for (int i = 0; i < 20; i++) {
      entries.add(Tables.put("key" + (char) ('a' + i), 100 + i, ("value " + i + " ").repeat(5)));
      entries.add(Tables.delete("key" + (char) ('a' + i), i));
    }
  }

  /** Blocks that are small, or large enough for every block to be worth packing. */
  private static SSTableOptions options(Compression compression) {
    return new SSTableOptions(
        compression == Compression.NONE ? 128 : 400, 4, 10, compression, 0, PrefixRule.length(4));
  }

  @Test
  void blocksOfTheseTestsArePacked() {
    for (Compression compression : Compression.values()) {
      byte[] bytes = Tables.bytes(options(compression), entries);
      for (BlockHandle block : dataHandles(Tables.open(bytes))) {
        assertThat(bytes[(int) block.offset() + block.length()])
            .isEqualTo(SSTableFormat.codeOf(compression));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyFlippedByteIsFound(Compression compression) {
    byte[] good = Tables.bytes(options(compression), entries);
    for (int at = 0; at < good.length; at++) {
      for (int mask : new int[] {1, 0xff}) {
        byte[] bad = good.clone();
        bad[at] ^= (byte) mask;

        assertThatThrownBy(() -> openAndVerify(bad))
            .as("byte %d of %d", at, bad.length)
            .isInstanceOf(CorruptionException.class)
            .hasMessageContaining(Tables.FILE.toString());
        assertThatReadsAreRightOrRefused(bad);
      }
    }
  }

  @Test
  void everyTruncationIsFound() {
    byte[] good = Tables.bytes(OPTIONS, entries);
    for (int length = 0; length < good.length; length++) {
      byte[] bad = Arrays.copyOf(good, length);

      assertThatExceptionOfType(CorruptionException.class)
          .as("%d of %d bytes", length, good.length)
          .isThrownBy(() -> Tables.open(bad));
    }
  }

  @Test
  void randomBytesAreNoTable() {
    for (int i = 0; i < 200; i++) {
      byte[] bytes = new byte[seeded.random().nextInt(500)];
      seeded.random().nextBytes(bytes);

      assertThatExceptionOfType(CorruptionException.class).isThrownBy(() -> Tables.open(bytes));
    }
  }

  @Test
  void damageInABlockIsReportedWhereTheBlockIs() {
    byte[] bytes = Tables.bytes(OPTIONS, entries);
    BlockHandle second = handles(bytes).get(1);
    bytes[(int) second.offset() + 3] ^= 1;
    SSTableReader table = Tables.open(bytes);

    assertThatExceptionOfType(CorruptionException.class)
        .isThrownBy(() -> Tables.scan(table, true))
        .satisfies(e -> assertThat(e.offset()).isEqualTo(second.offset()))
        .satisfies(e -> assertThat(e.file()).isEqualTo(Tables.FILE.toString()));
  }

  @Test
  void blocksBesideADamagedOneStayReadable() {
    byte[] bytes = Tables.bytes(OPTIONS, entries);
    bytes[3] ^= 1;
    SSTableReader table = Tables.open(bytes);
    Entry last = entries.get(entries.size() - 1);

    assertThat(table.get(last.key(), Tables.NEWEST, IoClass.CLIENT_READ)).isNotNull();
    assertThat(
            catchThrowable(
                () -> table.get(entries.get(0).key(), Tables.NEWEST, IoClass.CLIENT_READ)))
        .isInstanceOf(CorruptionException.class);
  }

  @Test
  void anIteratorRevivesAfterDamage() {
    byte[] bytes = Tables.bytes(OPTIONS, entries);
    bytes[3] ^= 1;
    try (InternalIterator position = Tables.open(bytes).iterator(IoClass.CLIENT_READ, false)) {
      assertThatExceptionOfType(CorruptionException.class).isThrownBy(position::seekToFirst);
      assertThat(position.valid()).isFalse();
      position.seekToLast();

      assertThat(Entry.at(position)).isEqualTo(entries.get(entries.size() - 1));
    }
  }

  @Test
  void anotherMagicIsCorruption() {
    byte[] bytes = Tables.bytes(OPTIONS, entries);
    bytes[bytes.length - 1] = 'X';

    assertThatExceptionOfType(CorruptionException.class)
        .isThrownBy(() -> Tables.open(bytes))
        .withMessageContaining("magic");
  }

  @Test
  void aNewerVersionIsNamed() {
    assertThatExceptionOfType(FormatTooNewException.class)
        .isThrownBy(() -> Tables.open(withVersion(3)))
        .withMessageContaining("version 3")
        .withMessageContaining(Tables.FILE.toString());
    assertThatExceptionOfType(FormatTooNewException.class)
        .isThrownBy(() -> Tables.open(withVersion(-1)));
  }

  @Test
  void anOlderVersionIsNamed() {
    assertThatExceptionOfType(FormatTooOldException.class)
        .isThrownBy(() -> Tables.open(withVersion(1)))
        .withMessageContaining("version 1");
  }

  /** A writer gone wrong: blocks whose checksums are right and whose contents are not. */
  @ParameterizedTest
  @EnumSource
  void wrongContentsUnderRightChecksumsNeverBecomeOtherErrors(Compression compression) {
    byte[] good = Tables.bytes(options(compression), entries);
    List<BlockHandle> blocks = handles(good);
    RandomGenerator random = seeded.random();
    int found = 0;
    for (int i = 0; i < 4_000; i++) {
      byte[] bad = good.clone();
      BlockHandle block = blocks.get(random.nextInt(blocks.size()));
      int changes = 1 + random.nextInt(3);
      for (int change = 0; change < changes; change++) {
        damage(random, bad, block);
      }
      seal(bad, block);
      Throwable thrown = catchThrowable(() -> useInEveryWay(random, bad));
      if (thrown != null) {
        assertThat(thrown).isInstanceOf(CorruptionException.class);
        found++;
      }
    }
    assertThat(found).isGreaterThan(2_000);
  }

  @Test
  void wrongFootersUnderRightChecksumsNeverBecomeOtherErrors() {
    byte[] good = Tables.bytes(OPTIONS, entries);
    RandomGenerator random = seeded.random();
    int footerAt = good.length - SSTableFormat.FOOTER_BYTES;
    for (int i = 0; i < 1_000; i++) {
      byte[] bad = good.clone();
      bad[footerAt + random.nextInt(52)] = interesting(random);
      LittleEndian.putInt(bad, footerAt + 52, Crc32c.of(bad, footerAt, 52));
      Throwable thrown = catchThrowable(() -> useInEveryWay(random, bad));
      if (thrown != null) {
        assertThat(thrown)
            .isInstanceOfAny(CorruptionException.class, UnsupportedFormatException.class);
      }
    }
  }

  private static void openAndVerify(byte[] bytes) {
    try (SSTableReader table = Tables.open(bytes)) {
      table.verify(() -> false);
    }
  }

  private void assertThatReadsAreRightOrRefused(byte[] bytes) {
    SSTableReader table;
    try {
      table = Tables.open(bytes);
    } catch (CorruptionException refused) {
      assertThat(refused).hasMessageContaining("restore this replica");
      return;
    }
    for (Entry entry : entries) {
      try {
        Found found = table.get(entry.key(), entry.sequence(), IoClass.CLIENT_READ);
        assertThat(found).isEqualTo(new Found(entry.kind(), entry.sequence(), entry.value()));
      } catch (CorruptionException refused) {
        assertThat(refused.offset()).isNotNegative();
      }
    }
  }

  private void useInEveryWay(RandomGenerator random, byte[] bytes) {
    SSTableReader table = Tables.open(bytes);
    EngineException first = null;
    for (int way = 0; way < 5; way++) {
      try {
        use(random, table, way);
      } catch (EngineException e) {
        first = e;
      }
    }
    if (first != null) {
      throw first;
    }
  }

  private void use(RandomGenerator random, SSTableReader table, int way) {
    Entry target = entries.get(random.nextInt(entries.size()));
    try (InternalIterator position = table.iterator(IoClass.CLIENT_READ, way % 2 == 0)) {
      switch (way) {
        case 0 -> Tables.scan(table, false);
        case 1 -> {
          for (position.seekToLast(); position.valid(); position.prev()) {
            Entry.at(position);
          }
        }
        case 2 -> {
          position.seek(target.key(), target.sequence());
          for (int i = 0; i < 10 && position.valid(); i++) {
            position.prev();
          }
          position.seekForPrev(target.key(), target.sequence());
        }
        case 3 -> {
          table.get(target.key(), target.sequence(), IoClass.CLIENT_READ);
          table.mayHoldRange(Slice.utf8("keya"), Slice.utf8("keyb"), IoClass.CLIENT_READ);
        }
        default -> {
          table.verify(() -> false);
          table.close();
        }
      }
    }
  }

  private static void damage(RandomGenerator random, byte[] bytes, BlockHandle block) {
    int start = (int) block.offset();
    // Numbers at the end of a block and of an entry's head hurt most; plain bytes least.
    int length = block.length();
    int at = random.nextInt(3) == 0 ? length - 1 - random.nextInt(8) : random.nextInt(length);
    bytes[start + at] = interesting(random);
  }

  private static byte interesting(RandomGenerator random) {
    byte[] bytes = {0, 1, 2, 0x7f, (byte) 0x80, (byte) 0xff};
    return random.nextBoolean() ? bytes[random.nextInt(bytes.length)] : (byte) random.nextInt(256);
  }

  private static void seal(byte[] bytes, BlockHandle block) {
    int start = (int) block.offset();
    int covered = block.length() + 1;
    LittleEndian.putInt(bytes, start + covered, Crc32c.of(bytes, start, covered));
  }

  /** All blocks of a good table, data blocks first. */
  private static List<BlockHandle> handles(byte[] good) {
    SSTableReader table = Tables.open(good);
    List<BlockHandle> blocks = dataHandles(table);
    assertThat(blocks).hasSizeGreaterThan(2);
    for (int at = 0; at < table.top().size(); at++) {
      TopIndex.Partition partition = table.top().get(at);
      blocks.add(partition.index());
      blocks.add(partition.filter());
    }
    blocks.addAll(List.of(table.footer().topHandle(), table.footer().propertiesHandle()));
    return blocks;
  }

  private static List<BlockHandle> dataHandles(SSTableReader table) {
    List<BlockHandle> blocks = new ArrayList<>();
    IndexIterator index =
        new IndexIterator(table, new CachedBlocks(table, Kind.META, IoClass.CLIENT_READ));
    for (index.seekToFirst(); index.valid(); index.next()) {
      blocks.add(index.handle());
    }
    return blocks;
  }

  @Test
  void aPackedBlockThatClaimsToBeHugeIsRefused() {
    for (Compression compression : List.of(Compression.LZ4, Compression.ZSTD)) {
      byte[] bytes = Tables.bytes(options(compression), entries);
      BlockHandle first = handles(bytes).get(0);
      for (int claimed : new int[] {1024 * first.length() + 1, Integer.MAX_VALUE, -1, 0}) {
        LittleEndian.putInt(bytes, (int) first.offset(), claimed);
        seal(bytes, first);
        SSTableReader table = Tables.open(bytes);

        assertThatExceptionOfType(CorruptionException.class)
            .isThrownBy(() -> Tables.scan(table, true))
            .withMessageContaining("impossible length")
            .satisfies(e -> assertThat(e.offset()).isEqualTo(first.offset()));
      }
    }
  }

  private byte[] withVersion(int version) {
    byte[] bytes = Tables.bytes(OPTIONS, entries);
    int footerAt = bytes.length - SSTableFormat.FOOTER_BYTES;
    LittleEndian.putInt(bytes, footerAt + 48, version);
    LittleEndian.putInt(bytes, footerAt + 52, Crc32c.of(bytes, footerAt, 52));
    return bytes;
  }
}
