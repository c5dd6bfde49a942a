package io.silkkv.engine.sstable;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.api.Compression;
import io.silkkv.engine.api.PrefixRule;
import io.silkkv.engine.sstable.Tables.Entry;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The bytes of format version 2, as once released: they never change. The resource shows them block
 * by block.
 */
final class SSTableGoldenTest {
  private static final String RESOURCE = "table-v2.hex";
  private static final SSTableOptions OPTIONS =
      new SSTableOptions(64, 2, 10, Compression.NONE, 0, PrefixRule.length(2));
  private static final List<Entry> ENTRIES =
      List.of(
          Tables.put("apple", 300, "red"),
          Tables.delete("apple", 299),
          Tables.put("apricot", 1, "orange"),
          Tables.put("banana", 70_000, "yellow"),
          Tables.put("banana", 5, ""),
          Tables.put("cherry", 301, "c".repeat(70)));

  private static byte[] golden(String resource) throws IOException {
    try (InputStream stream = SSTableGoldenTest.class.getResourceAsStream(resource)) {
      assertThat(stream).as(resource).isNotNull();
      String text = new String(stream.readAllBytes(), US_ASCII);
      return HexFormat.of().parseHex(text.replaceAll("#[^\n]*", "").replaceAll("\\s", ""));
    }
  }

  @Test
  void theWriterStillWritesVersion2() throws IOException {
    assertThat(HexFormat.of().formatHex(Tables.bytes(OPTIONS, ENTRIES)))
        .isEqualTo(HexFormat.of().formatHex(golden(RESOURCE)));
  }

  @Test
  void theReaderStillReadsVersion2() throws IOException {
    try (SSTableReader table = Tables.open(golden(RESOURCE))) {
      assertThat(Tables.scan(table, true)).isEqualTo(ENTRIES);
      table.verify(() -> false);
    }
  }

  /** Entries that are alike; 120 of them are enough for a dictionary. */
  private static List<Entry> packed(int count) {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String value = "{\"name\":\"" + i * i + "\",\"address\":\"" + (i * 7919) + "\"}";
      entries.add(Tables.put("user" + (100 + i), 1000 + i, value));
    }
    return entries;
  }

  /** The bytes of packed blocks may change with the library that packs; what was packed is read. */
  @ParameterizedTest
  @CsvSource({"lz4, 60, false", "zstd, 60, false", "zstd-dictionary, 120, true"})
  void theReaderStillReadsPackedTables(String name, int count, boolean dictionary)
      throws IOException {
    try (SSTableReader table = Tables.open(golden("table-v2-" + name + ".hex"))) {
      assertThat(Tables.scan(table, true)).isEqualTo(packed(count));
      assertThat(table.footer().hasDictionary()).isEqualTo(dictionary);
      assertThat(table.top().size()).isGreaterThan(1);
      table.verify();
    }
  }
}
