package io.silkkv.engine.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.silkkv.engine.api.Compression;
import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.api.PrefixRule;
import io.silkkv.engine.base.Crc32c;
import io.silkkv.engine.base.LittleEndian;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.sstable.Tables.Entry;
import io.silkkv.engine.testkit.Seeded;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A dictionary that a table is trained on, is packed with, and brings along. */
final class DictionaryTest {
  private static final String[] WORDS = {
    "\"name\":", "\"address\":", "\"created\":", "\"balance\":", "\"tags\":[", "null,", "true,"
  };

  @RegisterExtension final Seeded seeded = new Seeded();

  /** Records of one shape: what is alike is spread over the whole table, not within a block. */
  private List<Entry> records(int count) {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      StringBuilder value = new StringBuilder();
      for (int field = 0; field < 6; field++) {
        value.append(WORDS[seeded.random().nextInt(WORDS.length)]);
        value.append(Integer.toHexString(seeded.random().nextInt()));
      }
      entries.add(Tables.put(Tables.numberedKey(i), 1000 + i, value.toString()));
    }
    return entries;
  }

  private static SSTableOptions options(Compression compression, int dictionaryBytes) {
    return new SSTableOptions(1024, 16, 10, compression, dictionaryBytes, PrefixRule.NONE);
  }

  @Test
  void aDictionaryMakesTablesOfSmallBlocksSmaller() {
    List<Entry> entries = records(5000);
    byte[] without = Tables.bytes(options(Compression.ZSTD, 0), entries);
    byte[] with = Tables.bytes(options(Compression.ZSTD, 2048), entries);

    assertThat(with.length).isLessThan(without.length * 9 / 10);
    SSTableReader table = Tables.open(with);
    assertThat(table.footer().hasDictionary()).isTrue();
    assertThat(Tables.scan(table, true)).isEqualTo(entries);
    assertThat(Tables.scan(table, false)).isEqualTo(entries);
    for (Entry entry : entries.subList(0, 200)) {
      assertThat(table.get(entry.key(), Tables.NEWEST, IoClass.CLIENT_READ).value())
          .isEqualTo(entry.value());
    }
    table.verify(() -> false);
    table.close();
  }

  @Test
  void tablesWithAndWithoutDictionaryAreReadInTurn() {
    List<Entry> entries = records(2000);
    SSTableReader with = Tables.open(Tables.bytes(options(Compression.ZSTD, 512), entries));
    SSTableReader without = Tables.open(Tables.bytes(options(Compression.ZSTD, 0), entries));
    List<Entry> others = records(2000);
    SSTableReader other = Tables.open(Tables.bytes(options(Compression.ZSTD, 512), others));
    for (int i = 0; i < 2; i++) {
      assertThat(Tables.scan(with, false)).isEqualTo(entries);
      assertThat(Tables.scan(without, false)).isEqualTo(entries);
      assertThat(Tables.scan(other, false)).isEqualTo(others);
    }
  }

  @Test
  void aTableTooSmallToLearnFromHasNone() {
    List<Entry> entries = records(30);
    SSTableReader table = Tables.open(Tables.bytes(options(Compression.ZSTD, 2048), entries));

    assertThat(table.footer().hasDictionary()).isFalse();
    assertThat(Tables.scan(table, true)).isEqualTo(entries);
  }

  @Test
  void onlyZstandardHasOne() {
    SSTableReader table = Tables.open(Tables.bytes(options(Compression.LZ4, 2048), records(2000)));

    assertThat(table.footer().hasDictionary()).isFalse();
  }

  @Test
  void aDamagedDictionaryIsCorruption() {
    byte[] good = Tables.bytes(options(Compression.ZSTD, 1024), records(3000));
    BlockHandle dictionary = Tables.open(good).footer().dictionaryHandle();
    byte[] flipped = good.clone();
    flipped[(int) dictionary.offset() + 10] ^= 1;

    assertThatExceptionOfType(CorruptionException.class)
        .isThrownBy(() -> Tables.scan(Tables.open(flipped), true))
        .satisfies(e -> assertThat(e.offset()).isEqualTo(dictionary.offset()));
  }

  /** A writer gone wrong: the checksum of the dictionary is right and its contents are not. */
  @Test
  void aWrongDictionaryUnderARightChecksumNeverBecomesAnotherError() {
    List<Entry> entries = records(3000);
    byte[] good = Tables.bytes(options(Compression.ZSTD, 1024), entries);
    BlockHandle dictionary = Tables.open(good).footer().dictionaryHandle();
    int start = (int) dictionary.offset();
    int refused = 0;
    for (int i = 0; i < 100; i++) {
      byte[] bad = good.clone();
      for (int change = 0; change < 1 + i; change++) {
        bad[start + seeded.random().nextInt(dictionary.length())] =
            (byte) seeded.random().nextInt(256);
      }
      int covered = dictionary.length() + 1;
      LittleEndian.putInt(bad, start + covered, Crc32c.of(bad, start, covered));
      try {
        Tables.scan(Tables.open(bad), true);
      } catch (CorruptionException e) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(20);
  }
}
