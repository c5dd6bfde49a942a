package io.silkkv.engine.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.engine.io.IoCounters.Direction;
import io.silkkv.engine.testkit.FileSystemContract;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalFileSystemTest extends FileSystemContract {
  @TempDir Path directory;

  private final IoCounters counters = new IoCounters();
  private final LocalFileSystem files = new LocalFileSystem(counters);

  @Override
  protected FileSystem fileSystem() {
    return files;
  }

  @Override
  protected Path home() {
    return directory;
  }

  @Test
  void countsBytesAndOperationsByClassAndDirection() throws IOException {
    Path path = directory.resolve("a");
    try (WritableFile file = files.create(path, IoClass.FLUSH)) {
      file.write(ByteBuffer.allocate(100));
      file.write(ByteBuffer.allocate(50));
      file.sync();
    }
    try (ReadableFile file = files.open(path)) {
      file.read(0, ByteBuffer.allocate(10), IoClass.CLIENT_READ);
    }
    assertThat(counters.bytes(IoClass.FLUSH, Direction.WRITE)).isEqualTo(150);
    assertThat(counters.operations(IoClass.FLUSH, Direction.WRITE)).isEqualTo(2);
    assertThat(counters.syncs(IoClass.FLUSH)).isEqualTo(1);
    assertThat(counters.bytes(IoClass.CLIENT_READ, Direction.READ)).isEqualTo(10);
    assertThat(counters.operations(IoClass.CLIENT_READ, Direction.READ)).isEqualTo(1);
    assertThat(counters.bytes(IoClass.FLUSH, Direction.READ)).isZero();
  }

  @Test
  void anInterruptedReaderKeepsItsFileAndItsFlag() throws IOException {
    Path path = Files.writeString(directory.resolve("a"), "0123456789");
    try (ReadableFile file = files.open(path)) {
      Thread.currentThread().interrupt();
      file.read(0, ByteBuffer.allocate(10), IoClass.CLIENT_READ);
      assertThat(Thread.interrupted()).isTrue();
      file.read(5, ByteBuffer.allocate(5), IoClass.CLIENT_READ);
    }
  }

  @Test
  void anInterruptWhileReadersAreInTheFileDoesNotCloseIt() throws Exception {
    Path path = Files.write(directory.resolve("a"), new byte[1 << 20]);
    try (ReadableFile file = files.open(path)) {
      Thread reader =
          new Thread(
              () -> {
                // Runs until an interrupt was seen often; each of them would close a plain channel.
                for (int seen = 0; seen < 50; ) {
                  readAll(file);
                  seen += Thread.interrupted() ? 1 : 0;
                }
              });
      reader.start();
      while (reader.isAlive()) {
        reader.interrupt();
        readAll(file);
      }
    }
  }

  private static void readAll(ReadableFile file) {
    try {
      file.read(0, ByteBuffer.allocateDirect(1 << 20), IoClass.CLIENT_READ);
    } catch (IOException e) {
      throw new AssertionError("an interrupt closed the file", e);
    }
  }

  @Test
  void anInterruptedWriterLosesNothing() throws IOException {
    Path path = directory.resolve("a");
    try (WritableFile file = files.create(path, IoClass.FLUSH)) {
      for (int i = 0; i < 100; i++) {
        Thread.currentThread().interrupt();
        file.write(ByteBuffer.allocate(1000).putInt(0, i));
        file.sync();
      }
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(path));
    assertThat(all.remaining()).isEqualTo(100_000);
    assertThat(all.getInt(99_000)).isEqualTo(99);
  }

  @Test
  void doesNotReopenAnotherFileOfTheSameName() throws IOException {
    Path path = Files.writeString(directory.resolve("a"), "old content");
    FileChannel broken = FileChannel.open(path, StandardOpenOption.READ);
    try (InterruptProofChannel channel =
        InterruptProofChannel.wrap(path, Set.of(StandardOpenOption.READ), broken)) {
      // The old inode is kept by a link, so that the new file cannot get its number.
      files.link(path, directory.resolve("b"));
      Files.writeString(directory.resolve("c"), "new content");
      files.rename(directory.resolve("c"), path);
      broken.close();
      assertThatThrownBy(() -> channel.readFully(ByteBuffer.allocate(3), 0))
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining("was replaced");
    }
  }
}
