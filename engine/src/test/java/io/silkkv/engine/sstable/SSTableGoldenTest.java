package io.silkkv.engine.sstable;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.api.Compression;
import io.silkkv.engine.api.PrefixRule;
import io.silkkv.engine.sstable.Tables.Entry;
import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

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

  private static byte[] golden() throws IOException {
    try (InputStream stream = SSTableGoldenTest.class.getResourceAsStream(RESOURCE)) {
      assertThat(stream).as(RESOURCE).isNotNull();
      String text = new String(stream.readAllBytes(), US_ASCII);
      return HexFormat.of().parseHex(text.replaceAll("#[^\n]*", "").replaceAll("\\s", ""));
    }
  }

  @Test
  void theWriterStillWritesVersion2() throws IOException {
    assertThat(HexFormat.of().formatHex(Tables.bytes(OPTIONS, ENTRIES)))
        .isEqualTo(HexFormat.of().formatHex(golden()));
  }

  @Test
  void theReaderStillReadsVersion2() throws IOException {
    try (SSTableReader table = Tables.open(golden())) {
      assertThat(Tables.scan(table, true)).isEqualTo(ENTRIES);
      table.verify();
    }
  }
}
