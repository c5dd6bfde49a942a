package io.silkkv.engine.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.api.FormatTooNewException;
import io.silkkv.engine.api.FormatTooOldException;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.ReadableFile;
import io.silkkv.engine.testkit.MemFileSystem;
import io.silkkv.engine.testkit.Seeded;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RecordFileTest {
  private static final RecordFormat FORMAT = new RecordFormat("RECORDS!", 2, 3);
  private static final Path FILE = Path.of("/d/records");

  @RegisterExtension final Seeded seeded = new Seeded();

  private final MemFileSystem files = new MemFileSystem();

  @BeforeEach
  void createDirectory() throws IOException {
    files.createDirectories(FILE.getParent());
  }

  private void write(RecordFormat format, String... records) throws IOException {
    try (RecordWriter writer = new RecordWriter(files.create(FILE, IoClass.FLUSH), format)) {
      for (String record : records) {
        writer.append(record.getBytes(StandardCharsets.UTF_8));
      }
      writer.sync();
    }
  }

  /** All records; "torn" stands for an end within one. */
  private List<String> read() throws IOException {
    try (ReadableFile file = files.open(FILE)) {
      RecordReader reader = new RecordReader(file, FILE.toString(), FORMAT, IoClass.RECOVERY);
      List<String> found = new ArrayList<>();
      for (byte[] next = reader.next(); next != null; next = reader.next()) {
        found.add(new String(next, StandardCharsets.UTF_8));
      }
      if (reader.endedTorn()) {
        found.add("torn");
      }
      return found;
    }
  }

  private byte[] bytes() throws IOException {
    try (ReadableFile file = files.open(FILE)) {
      byte[] bytes = new byte[(int) file.size()];
      file.read(0, ByteBuffer.wrap(bytes), IoClass.RECOVERY);
      return bytes;
    }
  }

  @Test
  void recordsComeBackInOrder() throws IOException {
    write(FORMAT, "one", "", "three");
    assertThat(read()).containsExactly("one", "", "three");
  }

  @Test
  void formatOnDiskDoesNotChange() throws IOException {
    write(FORMAT, "one");
    assertThat(HexFormat.of().formatHex(bytes()))
        .isEqualTo(
            "5245434f52445321"
                + "00000003"
                + "5401daff"
                + "00000003"
                + "5b37b833"
                + "2a94b2e9"
                + "6f6e65");
  }

  @Test
  void everyCutIsATornEndOrAnError() throws IOException {
    write(FORMAT, "one", "two");
    int size = bytes().length;
    int secondAt = size - RecordFormat.RECORD_HEADER_BYTES - 3;
    for (int cut = size - 1; cut >= 0; cut--) {
      files.truncate(FILE, cut);
      if (cut < RecordFormat.FILE_HEADER_BYTES) {
        assertThatThrownBy(this::read).isInstanceOf(CorruptionException.class);
      } else if (cut == RecordFormat.FILE_HEADER_BYTES) {
        assertThat(read()).isEmpty();
      } else if (cut < secondAt) {
        assertThat(read()).containsExactly("torn");
      } else if (cut == secondAt) {
        assertThat(read()).containsExactly("one");
      } else {
        assertThat(read()).containsExactly("one", "torn");
      }
    }
  }

  @Test
  void damageBeforeAWholeRecordIsCorruptionWithFileAndOffset() throws IOException {
    write(FORMAT, "one", "two", "three");
    int recordBytes = RecordFormat.RECORD_HEADER_BYTES + 3;
    for (int at = 0; at < 2 * recordBytes; at++) {
      long offset = (long) RecordFormat.FILE_HEADER_BYTES + at;
      files.corrupt(FILE, offset, 0x10);
      int damaged = RecordFormat.FILE_HEADER_BYTES + at / recordBytes * recordBytes;
      assertThatThrownBy(this::read)
          .isInstanceOf(CorruptionException.class)
          .hasMessageContaining(FILE.toString())
          .hasMessageContaining("offset " + damaged);
      files.corrupt(FILE, offset, 0x10);
    }
  }

  @Test
  void damageToTheLastRecordReadsAsTorn() throws IOException {
    write(FORMAT, "one", "two");
    files.corrupt(FILE, bytes().length - 1L, 0x01);
    assertThat(read()).containsExactly("one", "torn");
  }

  @Test
  void crashLeavesWhatWasSyncedAndAtMostATornRecord() throws IOException {
    for (int round = 0; round < 200; round++) {
      Path file = FILE.resolveSibling("records-" + round);
      RecordWriter writer = new RecordWriter(files.create(file, IoClass.FLUSH), FORMAT);
      writer.append(new byte[20]);
      writer.sync();
      files.syncDirectory(FILE.getParent());
      writer.append(new byte[300]);
      MemFileSystem left = files.crashClone(seeded.random());
      try (ReadableFile opened = left.open(file)) {
        RecordReader reader = new RecordReader(opened, "records", FORMAT, IoClass.RECOVERY);
        assertThat(reader.next()).hasSize(20);
        byte[] second = reader.next();
        assertThat(second == null || second.length == 300).isTrue();
        assertThat(reader.next()).isNull();
      }
      writer.close();
    }
  }

  @Test
  void headerSaysWhatIsWrong() throws IOException {
    write(FORMAT, "one");
    files.corrupt(FILE, 0, 0x01);
    assertThatThrownBy(this::read)
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining("RECORDS!");
    files.corrupt(FILE, 0, 0x01);
    files.corrupt(FILE, 9, 0x01);
    assertThatThrownBy(this::read)
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining("checksum");
  }

  @Test
  void otherFormatVersionsAreToldApartFromDamage() throws IOException {
    write(new RecordFormat("RECORDS!", 2, 4), "one");
    assertThatThrownBy(this::read)
        .isInstanceOf(FormatTooNewException.class)
        .hasMessageContaining("version 4")
        .hasMessageContaining(FILE.toString());
    files.delete(FILE);
    write(new RecordFormat("RECORDS!", 1, 1), "one");
    assertThatThrownBy(this::read).isInstanceOf(FormatTooOldException.class);
    files.delete(FILE);
    write(new RecordFormat("RECORDS!", 2, 2), "one");
    assertThat(read()).containsExactly("one");
  }
}
