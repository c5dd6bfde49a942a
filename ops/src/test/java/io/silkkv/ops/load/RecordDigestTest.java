package io.silkkv.ops.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.ops.base.OpsException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordDigestTest {
  @TempDir private Path dir;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Test
  void whereAKeyEndsAndItsValueStartsMatters() {
    RecordDigest one = new RecordDigest();
    one.add(bytes("ab"), bytes("c"));
    RecordDigest other = new RecordDigest();
    other.add(bytes("a"), bytes("bc"));
    assertThat(one.hex()).isNotEqualTo(other.hex());
  }

  @Test
  void theDigestOfNothingIsTheOneOfTheEmptyText() {
    assertThat(new RecordDigest().hex())
        .isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  }

  @Test
  void aFileHasTheDigestOfItsSortedContentWithTheLastLineOfEachKey() throws IOException {
    Path file = dir.resolve("a.tsv");
    Files.writeString(file, "b\told\n\\xff\t3\na\t1\n\nb\t2");
    RecordDigest expected = new RecordDigest();
    expected.add(bytes("a"), bytes("1"));
    expected.add(bytes("b"), bytes("2"));
    expected.add(bytes("\u00ff"), bytes("3"));
    RecordDigest found = FileDigest.of(file, LoadFormat.TSV, false);
    assertThat(found.count()).isEqualTo(3);
    assertThat(found.hex()).isEqualTo(expected.hex());
  }

  @Test
  void bothFormatsOfTheSameContentHaveTheSameDigest() throws IOException {
    Path tsv = dir.resolve("a.tsv");
    Path jsonl = dir.resolve("a.jsonl");
    Files.writeString(tsv, "k\tline 1\\nline 2\n");
    Files.writeString(jsonl, "{\"key\":\"k\",\"value\":\"line 1\\nline 2\"}\n");
    assertThat(FileDigest.of(tsv, LoadFormat.TSV, false).hex())
        .isEqualTo(FileDigest.of(jsonl, LoadFormat.JSONL, false).hex());
  }

  @Test
  void anUnreadableLineIsNamedOrPassedOver() throws IOException {
    Path file = dir.resolve("a.tsv");
    Files.writeString(file, "a\t1\nbad\n");
    assertThatThrownBy(() -> FileDigest.of(file, LoadFormat.TSV, false))
        .isInstanceOf(OpsException.class)
        .hasMessageContaining(file + " line 2: no TAB");
    assertThat(FileDigest.of(file, LoadFormat.TSV, true).count()).isEqualTo(1);
  }
}
