package io.silkkv.engine.io;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.nio.file.ExtendedOpenOption;
import io.silkkv.engine.io.IoCounters.Direction;
import io.silkkv.engine.testkit.FileSystemContract;
import io.silkkv.engine.testkit.Seeded;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files past the page cache do what others do. Where the test's directory does not take direct I/O,
 * all of this holds too, but for the tests that ask for it.
 */
class UncachedFileSystemTest extends FileSystemContract {
  private static final int BLOCK = AlignedBuffers.ALIGNMENT;
  private static final int REQUEST = AlignedBuffers.BUFFER_BYTES;

  @TempDir Path directory;

  @RegisterExtension final Seeded seeded = new Seeded();

  private final IoCounters counters = new IoCounters();
  private final LocalFileSystem local =
      new LocalFileSystem(counters, new DirectIo(true, DirectIo.MIN_BUFFER_BYTES));

  @Override
  protected FileSystem fileSystem() {
    return new AllUncached(local);
  }

  @Override
  protected Path home() {
    return directory;
  }

  private byte[] randomBytes(int count) {
    byte[] bytes = new byte[count];
    seeded.random().nextBytes(bytes);
    return bytes;
  }

  private Path file(byte[] bytes) throws IOException {
    Path path = directory.resolve("of" + bytes.length);
    try (WritableFile file = local.createUncached(path, IoClass.FLUSH)) {
      file.write(ByteBuffer.wrap(bytes));
      file.sync();
    }
    return path;
  }

  private void assumeDirect() throws IOException {
    Path path = Files.createFile(directory.resolve("supported"));
    boolean works;
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.WRITE, ExtendedOpenOption.DIRECT)) {
      works = channel.write(new AlignedBuffers(REQUEST).take(), 0) == REQUEST;
    } catch (IOException | UnsupportedOperationException e) {
      works = false;
    }
    assumeThat(works).as("direct I/O in " + directory).isTrue();
  }

  @Test
  void lengthsAroundBlocksAndRequestsAreKept() throws IOException {
    for (int base : new int[] {0, BLOCK, 2 * BLOCK, REQUEST, 3 * REQUEST}) {
      for (int length = Math.max(0, base - 1); length <= base + 1; length++) {
        byte[] bytes = randomBytes(length);
        assertThat(Files.readAllBytes(file(bytes))).isEqualTo(bytes);
      }
    }
  }

  @Test
  void aFileHasItsLengthAndItsBytesAfterEverySync() throws IOException {
    byte[] bytes = randomBytes(3 * REQUEST);
    Path path = directory.resolve("a");
    int at = 0;
    try (WritableFile file = local.createUncached(path, IoClass.FLUSH)) {
      while (at < bytes.length) {
        int most = seeded.random().nextBoolean() ? 100 : 2 * BLOCK;
        int count = Math.min(bytes.length - at, seeded.random().nextInt(most));
        file.write(ByteBuffer.wrap(bytes, at, count));
        at += count;
        assertThat(file.size()).isEqualTo(at);
        if (seeded.random().nextInt(4) == 0) {
          file.sync();
          assertThat(Files.readAllBytes(path)).isEqualTo(Arrays.copyOf(bytes, at));
        }
      }
    }
    assertThat(Files.readAllBytes(path)).isEqualTo(bytes);
  }

  @Test
  void readsAnyPart() throws IOException {
    byte[] bytes = randomBytes(2 * REQUEST + 1234);
    try (ReadableFile file = local.openUncached(file(bytes))) {
      for (int i = 0; i < 500; i++) {
        int from = seeded.random().nextInt(bytes.length + 1);
        int most =
            Math.min(bytes.length - from, seeded.random().nextBoolean() ? 9000 : REQUEST * 2);
        int count = seeded.random().nextInt(most + 1);
        ByteBuffer target = ByteBuffer.allocate(count);
        file.read(from, target, IoClass.CLIENT_READ);
        assertThat(target.array()).isEqualTo(Arrays.copyOfRange(bytes, from, from + count));
      }
      assertThatThrownBy(
              () -> file.read(bytes.length - 1, ByteBuffer.allocate(2), IoClass.CLIENT_READ))
          .isInstanceOf(EOFException.class);
    }
  }

  @Test
  void aFileThatBecameShorterIsNoticed() throws IOException {
    Path path = file(randomBytes(3 * BLOCK));
    try (ReadableFile file = local.openUncached(path)) {
      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
        channel.truncate(BLOCK + 1);
      }
      ByteBuffer target = ByteBuffer.allocate(BLOCK + 2);
      assertThatThrownBy(() -> file.read(0, target, IoClass.CLIENT_READ))
          .isInstanceOf(EOFException.class);
    }
  }

  @Test
  void whatTheDeviceMovesIsCounted() throws IOException {
    assumeDirect();
    Path path = file(randomBytes(REQUEST + 10));
    try (ReadableFile file = local.openUncached(path)) {
      file.read(BLOCK - 1, ByteBuffer.allocate(2), IoClass.DEEP);
    }
    assertThat(counters.bytes(IoClass.FLUSH, Direction.WRITE)).isEqualTo(REQUEST + BLOCK);
    assertThat(counters.operations(IoClass.FLUSH, Direction.WRITE)).isEqualTo(2);
    assertThat(counters.bytes(IoClass.DEEP, Direction.READ)).isEqualTo(2 * BLOCK);
    assertThat(counters.operations(IoClass.DEEP, Direction.READ)).isEqualTo(1);
  }

  @Test
  void manyReadersShareOneBuffer() throws Exception {
    byte[] bytes = randomBytes(REQUEST + 100);
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try (ReadableFile file = local.openUncached(file(bytes))) {
      List<Future<byte[]>> all = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        all.add(
            threads.submit(
                () -> {
                  ByteBuffer target = ByteBuffer.allocate(bytes.length);
                  file.read(0, target, IoClass.CLIENT_READ);
                  return target.array();
                }));
      }
      for (Future<byte[]> each : all) {
        assertThat(each.get()).isEqualTo(bytes);
      }
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void interruptedWritersAndReadersGoOn() throws IOException {
    byte[] bytes = randomBytes(2 * REQUEST + 1);
    Path path = directory.resolve("a");
    try (WritableFile file = local.createUncached(path, IoClass.FLUSH)) {
      for (int at = 0; at < bytes.length; at += BLOCK) {
        Thread.currentThread().interrupt();
        file.write(ByteBuffer.wrap(bytes, at, Math.min(BLOCK, bytes.length - at)));
      }
      file.sync();
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    ByteBuffer back = ByteBuffer.allocate(bytes.length);
    try (ReadableFile file = local.openUncached(path)) {
      Thread.currentThread().interrupt();
      file.read(0, back, IoClass.CLIENT_READ);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(back.array()).isEqualTo(bytes);
  }

  @Test
  void aFileSystemWithoutDirectFilesIsUsedAllTheSame() throws IOException {
    // An archive as a file system: it refuses the option when a file is opened.
    Path archive = directory.resolve("a.zip");
    byte[] bytes = randomBytes(REQUEST + 17);
    try (java.nio.file.FileSystem zip =
        FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
      Path path = Files.write(zip.getPath("/table"), bytes);
      ByteBuffer back = ByteBuffer.allocate(bytes.length);
      try (ReadableFile file = local.openUncached(path)) {
        file.read(0, back, IoClass.CLIENT_READ);
      }
      assertThat(back.array()).isEqualTo(bytes);
    }
  }

  @Test
  void withoutDirectIoExactlyTheBytesOfTheFileAreMoved() throws IOException {
    LocalFileSystem cached = new LocalFileSystem(counters, DirectIo.OFF);
    byte[] bytes = randomBytes(REQUEST + 17);
    Path path = directory.resolve("a");
    try (WritableFile file = cached.createUncached(path, IoClass.FLUSH)) {
      file.write(ByteBuffer.wrap(bytes));
      file.sync();
    }
    try (ReadableFile file = cached.openUncached(path)) {
      file.read(5, ByteBuffer.allocate(10), IoClass.DEEP);
    }
    assertThat(Files.readAllBytes(path)).isEqualTo(bytes);
    assertThat(counters.bytes(IoClass.FLUSH, Direction.WRITE)).isEqualTo(bytes.length);
    assertThat(counters.bytes(IoClass.DEEP, Direction.READ)).isEqualTo(10);
  }

  @Test
  void aFileThatRefusesItsFirstTransferGoesThroughThePageCache() throws IOException {
    Path path = Files.writeString(directory.resolve("a"), "0123456789");
    List<Path> told = new ArrayList<>();
    try (UncachedChannel channel = refusing(path, StandardOpenOption.READ, told)) {
      ByteBuffer target = new AlignedBuffers(REQUEST).take();
      for (int i = 0; i < 2; i++) {
        target.clear().limit(BLOCK);
        channel.readAtLeast(10, target, 0);
        assertThat(UTF_8.decode(target.flip()).toString()).isEqualTo("0123456789");
      }
    }
    assertThat(told).containsExactly(path);
    Path written = Files.createFile(directory.resolve("b"));
    try (UncachedChannel channel = refusing(written, StandardOpenOption.WRITE, told)) {
      channel.writeFully(ByteBuffer.wrap("abc".getBytes(UTF_8)), 0);
      channel.truncate(2);
      channel.sync();
    }
    assertThat(Files.readString(written)).isEqualTo("ab");
  }

  @Test
  void aFileThatCannotBeReadAtAllKeepsItsFirstError() throws IOException {
    Path path = Files.writeString(directory.resolve("a"), "0123456789");
    List<Path> told = new ArrayList<>();
    try (UncachedChannel channel = refusing(path, StandardOpenOption.READ, told)) {
      Files.delete(path);
      assertThatThrownBy(() -> channel.readAtLeast(10, new AlignedBuffers(REQUEST).take(), 0))
          .isInstanceOf(IOException.class)
          .hasMessage(BrokenChannel.MESSAGE)
          .satisfies(
              e ->
                  assertThat(e.getSuppressed())
                      .singleElement()
                      .isInstanceOf(NoSuchFileException.class));
    }
    assertThat(told).isEmpty();
  }

  private static UncachedChannel refusing(Path path, StandardOpenOption mode, List<Path> told)
      throws IOException {
    InterruptProofChannel broken =
        InterruptProofChannel.wrap(path, Set.of(mode), new BrokenChannel());
    return new UncachedChannel(path, mode, (file, reason) -> told.add(file), broken, true);
  }

  @Test
  void buffersForReadsAreLimited() {
    assertThatThrownBy(() -> new DirectIo(true, DirectIo.MIN_BUFFER_BYTES - 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("131072");
  }
}
