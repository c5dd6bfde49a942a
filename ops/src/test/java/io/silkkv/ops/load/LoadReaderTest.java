package io.silkkv.ops.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadReaderTest {

  private static List<LoadLine> read(LoadFormat format, String text) throws IOException {
    List<LoadLine> lines = new ArrayList<>();
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try (LoadReader reader = new LoadReader(new ByteArrayInputStream(bytes), format, 0, 0)) {
      for (LoadLine line = reader.next(); line != null; line = reader.next()) {
        lines.add(line);
      }
    }
    return lines;
  }

  private static String show(LoadLine line) {
    return line instanceof LoadLine.Entry entry
        ? line.number()
            + ":"
            + new String(entry.key(), StandardCharsets.UTF_8)
            + "="
            + new String(entry.value(), StandardCharsets.UTF_8)
        : line.number() + "!" + ((LoadLine.Unreadable) line).reason();
  }

  @Test
  void linesOfTabSeparatedTextBecomeEntriesWithTheirNumbers() throws IOException {
    assertThat(read(LoadFormat.TSV, "a\t1\n\nb\t2\t3\nc\t"))
        .extracting(LoadReaderTest::show)
        .containsExactly("1:a=1", "3:b=2\t3", "4:c=");
  }

  @Test
  void theOffsetOfALineIsWhereTheNextOneStarts() throws IOException {
    assertThat(read(LoadFormat.TSV, "a\t1\n\nb\tä\nc\t"))
        .extracting(LoadLine::endOffset)
        .containsExactly(4L, 10L, 12L);
  }

  @Test
  void escapesStandForBytesThatWouldEndAKeyOrALine() throws IOException {
    assertThat(read(LoadFormat.TSV, "k\\tk\tv\\nv\\r\\\\\\x41\\xc3\\xa4\n"))
        .extracting(LoadReaderTest::show)
        .containsExactly("1:k\tk=v\nv\r\\Aä");
  }

  @Test
  void aCarriageReturnBelongsToTheValue() throws IOException {
    assertThat(read(LoadFormat.TSV, "a\t1\r\n"))
        .extracting(LoadReaderTest::show)
        .containsExactly("1:a=1\r");
  }

  @Test
  void anUnreadableLineIsNamedByItsNumberAndTheNextOneIsRead() throws IOException {
    assertThat(read(LoadFormat.TSV, "a\t1\nno tab here\nc\t3\n"))
        .extracting(LoadReaderTest::show)
        .containsExactly("1:a=1", "2!no TAB between key and value", "3:c=3");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\\q@1|bad escape at byte 1 of the line",
        "k@\\|bad escape at byte 3 of the line",
        "k@\\x4|\\x at byte 3 of the line is not followed by two hex digits",
        "@v|the key before the TAB is empty"
      })
  void badTabSeparatedTextSaysWhatIsWrong(String line, String reason) throws IOException {
    assertThat(read(LoadFormat.TSV, line.replace('@', '\t')))
        .singleElement()
        .extracting(LoadReaderTest::show)
        .asString()
        .startsWith("1!" + reason);
  }

  @Test
  void jsonLinesBecomeEntries() throws IOException {
    assertThat(
            read(
                LoadFormat.JSONL,
                """
                {"key": "a", "value": "x\\n\\u00e4"}
                {"value_base64": "AAE=", "key_base64": "Yg=="}
                """))
        .extracting(LoadReaderTest::show)
        .containsExactly("1:a=x\nä", "2:b=\0\u0001");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "nonsense|not one JSON object",
        "[1]|not one JSON object",
        "{\"key\":\"a\"|not one JSON object",
        "{\"key\":\"a\"}|the value is missing",
        "{\"value\":\"a\"}|the key is missing or empty",
        "{\"key\":\"\",\"value\":\"a\"}|the key is missing or empty",
        "{\"key\":1,\"value\":\"a\"}|\"key\" is not a string",
        "{\"key\":\"a\",\"val\":\"a\"}|unknown member \"val\"",
        "{\"key\":\"a\",\"value\":\"b\",\"value\":\"c\"}|the value is given twice",
        "{\"key\":\"a\",\"value_base64\":\"?\"}|\"value_base64\" is not base64",
        "{\"key\":\"a\",\"value\":\"b\"} {}|not one JSON object"
      })
  void badJsonSaysWhatIsWrong(String line, String reason) throws IOException {
    assertThat(read(LoadFormat.JSONL, line))
        .singleElement()
        .extracting(LoadReaderTest::show)
        .asString()
        .startsWith("1!" + reason);
  }

  @Test
  void aLineWithoutEndDoesNotFillTheMemory() throws IOException {
    List<LoadLine> lines =
        read(LoadFormat.TSV, "k\t" + "v".repeat(LoadReader.LINE_BYTES_MAX) + "\nb\t2\n");
    assertThat(lines)
        .extracting(LoadReaderTest::show)
        .containsExactly("1!longer than 16777216 bytes", "2:b=2");
  }
}
