package io.silkkv.engine.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.engine.io.FileSystem;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.ReadableFile;
import io.silkkv.engine.io.WritableFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every {@link FileSystem} does, real or not. */
public abstract class FileSystemContract {
  private FileSystem files;
  private Path home;

  /** The file system under test. */
  protected abstract FileSystem fileSystem();

  /** A directory that exists and is empty. */
  protected abstract Path home() throws IOException;

  @BeforeEach
  final void takeFileSystem() throws IOException {
    files = fileSystem();
    home = home();
  }

  private void write(String name, String text) throws IOException {
    try (WritableFile file = files.create(home.resolve(name), IoClass.FLUSH)) {
      file.write(ByteBuffer.wrap(text.getBytes(UTF_8)));
      file.sync();
    }
  }

  private String read(String name) throws IOException {
    try (ReadableFile file = files.open(home.resolve(name))) {
      ByteBuffer all = ByteBuffer.allocate((int) file.size());
      file.read(0, all, IoClass.CLIENT_READ);
      return new String(all.array(), UTF_8);
    }
  }

  @Test
  void readsBackWhatWasAppended() throws IOException {
    try (WritableFile file = files.create(home.resolve("a"), IoClass.FLUSH)) {
      file.write(ByteBuffer.wrap("hello ".getBytes(UTF_8)));
      file.write(ByteBuffer.allocateDirect(5).put("world".getBytes(UTF_8)).flip());
      assertThat(file.size()).isEqualTo(11);
    }
    assertThat(read("a")).isEqualTo("hello world");
    assertThat(files.size(home.resolve("a"))).isEqualTo(11);
  }

  @Test
  void writesOnlyTheRemainingBytesOfABuffer() throws IOException {
    ByteBuffer part = ByteBuffer.wrap("xxabcxx".getBytes(UTF_8)).position(2).limit(5);
    try (WritableFile file = files.create(home.resolve("a"), IoClass.FLUSH)) {
      file.write(part);
    }
    assertThat(part.hasRemaining()).isFalse();
    assertThat(part.limit()).isEqualTo(5);
    assertThat(read("a")).isEqualTo("abc");
  }

  @Test
  void readsAndWritesBuffersLargerThanOneTransfer() throws IOException {
    byte[] large = new byte[1_000_003];
    for (int i = 0; i < large.length; i++) {
      large[i] = (byte) (i * 31 + (i >>> 8));
    }
    try (WritableFile file = files.create(home.resolve("large"), IoClass.FLUSH)) {
      file.write(ByteBuffer.wrap(large));
    }
    try (ReadableFile file = files.open(home.resolve("large"))) {
      ByteBuffer back = ByteBuffer.allocate(large.length - 3);
      file.read(3, back, IoClass.CLIENT_READ);
      assertThat(back.flip()).isEqualTo(ByteBuffer.wrap(large, 3, large.length - 3).slice());
    }
  }

  @Test
  void fillsTheTargetFromItsPositionToItsLimit() throws IOException {
    write("a", "0123456789");
    ByteBuffer target = ByteBuffer.wrap("........".getBytes(UTF_8)).position(2).limit(5);
    try (ReadableFile file = files.open(home.resolve("a"))) {
      file.read(4, target, IoClass.CLIENT_READ);
    }
    assertThat(target.position()).isEqualTo(5);
    assertThat(new String(target.array(), UTF_8)).isEqualTo("..456...");
  }

  @Test
  void refusesToReadBeyondTheEnd() throws IOException {
    write("a", "abc");
    try (ReadableFile file = files.open(home.resolve("a"))) {
      assertThatThrownBy(() -> file.read(1, ByteBuffer.allocate(3), IoClass.CLIENT_READ))
          .isInstanceOf(EOFException.class)
          .hasMessageContaining(home.resolve("a").toString());
    }
  }

  @Test
  void refusesToCreateAFileThatExists() throws IOException {
    write("a", "old");
    assertThatThrownBy(() -> files.create(home.resolve("a"), IoClass.FLUSH))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(read("a")).isEqualTo("old");
  }

  @Test
  void refusesToCreateAFileInADirectoryThatIsMissing() {
    assertThatThrownBy(() -> files.create(home.resolve("no/a"), IoClass.FLUSH))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void namesAFileThatIsMissing() {
    Path missing = home.resolve("missing");
    assertThatThrownBy(() -> files.open(missing)).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> files.size(missing)).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> files.delete(missing)).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> files.list(missing)).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> files.link(missing, home.resolve("b")))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> files.rename(missing, home.resolve("b")))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void renameReplacesTheTarget() throws IOException {
    write("from", "new");
    write("to", "old");
    files.rename(home.resolve("from"), home.resolve("to"));
    files.syncDirectory(home);
    assertThat(files.list(home)).containsExactly("to");
    assertThat(read("to")).isEqualTo("new");
  }

  @Test
  void renamesADirectoryWithWhatIsInIt() throws IOException {
    files.createDirectories(home.resolve("incoming"));
    write("incoming/a", "inside");
    files.rename(home.resolve("incoming"), home.resolve("engine"));
    assertThat(files.list(home)).containsExactly("engine");
    assertThat(read("engine/a")).isEqualTo("inside");
  }

  @Test
  void aLinkOutlivesTheFirstName() throws IOException {
    write("a", "shared");
    files.link(home.resolve("a"), home.resolve("b"));
    files.delete(home.resolve("a"));
    assertThat(files.list(home)).containsExactly("b");
    assertThat(read("b")).isEqualTo("shared");
  }

  @Test
  void aLinkDoesNotReplace() throws IOException {
    write("a", "a");
    write("b", "b");
    assertThatThrownBy(() -> files.link(home.resolve("a"), home.resolve("b")))
        .isInstanceOf(FileAlreadyExistsException.class);
  }

  @Test
  void anOpenFileOutlivesItsName() throws IOException {
    write("a", "still here");
    try (ReadableFile file = files.open(home.resolve("a"))) {
      files.delete(home.resolve("a"));
      ByteBuffer all = ByteBuffer.allocate(10);
      file.read(0, all, IoClass.CLIENT_READ);
      assertThat(new String(all.array(), UTF_8)).isEqualTo("still here");
    }
    assertThat(files.exists(home.resolve("a"))).isFalse();
  }

  @Test
  void listsNamesInOrder() throws IOException {
    write("b", "");
    write("a", "");
    files.createDirectories(home.resolve("c/d"));
    files.createDirectories(home.resolve("c/d"));
    assertThat(files.list(home)).containsExactly("a", "b", "c");
    assertThat(files.exists(home.resolve("c/d"))).isTrue();
  }

  @Test
  void refusesToMakeADirectoryOfAFile() throws IOException {
    write("a", "");
    assertThatThrownBy(() -> files.createDirectories(home.resolve("a")))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> files.createDirectories(home.resolve("a/b")))
        .isInstanceOf(FileSystemException.class);
  }

  @Test
  void deletesOnlyEmptyDirectories() throws IOException {
    files.createDirectories(home.resolve("d"));
    write("d/a", "");
    assertThatThrownBy(() -> files.delete(home.resolve("d")))
        .isInstanceOf(DirectoryNotEmptyException.class);
    files.delete(home.resolve("d/a"));
    files.delete(home.resolve("d"));
    assertThat(files.list(home)).isEmpty();
  }

  @Test
  void refusesToUseAClosedFile() throws IOException {
    WritableFile writer = files.create(home.resolve("a"), IoClass.FLUSH);
    writer.close();
    writer.close();
    assertThatThrownBy(() -> writer.write(ByteBuffer.allocate(1))).isInstanceOf(IOException.class);
    ReadableFile reader = files.open(home.resolve("a"));
    reader.close();
    reader.close();
    assertThatThrownBy(() -> reader.read(0, ByteBuffer.allocate(1), IoClass.CLIENT_READ))
        .isInstanceOf(IOException.class);
  }
}
