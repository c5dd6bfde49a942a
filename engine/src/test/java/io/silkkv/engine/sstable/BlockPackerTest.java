package io.silkkv.engine.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.api.Compression;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.ReadableFile;
import io.silkkv.engine.io.WritableFile;
import io.silkkv.engine.testkit.MemFileSystem;
import io.silkkv.engine.testkit.Seeded;
import java.io.IOException;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What goes into a block comes out of it, and packing pays or is not done. */
final class BlockPackerTest {
  @RegisterExtension final Seeded seeded = new Seeded();

  private final MemFileSystem files = new MemFileSystem();

  /** The contents as they come back; the handle says how they were stored. */
  private record Stored(BlockHandle handle, Slice contents) {}

  private Stored store(Compression compression, byte[] contents) throws IOException {
    files.createDirectories(Tables.FILE.getParent());
    WritableFile file = files.create(Tables.FILE, IoClass.DEEP);
    ChunkedOutput output = new ChunkedOutput(file, "packed");
    BlockHandle handle;
    try (BlockPacker packer = new BlockPacker(compression)) {
      ByteSink sink = new ByteSink(1);
      sink.put(contents, 0, contents.length);
      packer.pack(sink);
      handle = packer.writeTo(output);
    }
    output.syncAndClose();
    try (ReadableFile back = files.open(Tables.FILE)) {
      Slice read = new BlockFile(back, "packed").readBlock(handle, IoClass.DEEP);
      return new Stored(handle, read);
    } finally {
      files.delete(Tables.FILE);
    }
  }

  private byte[] halfRandom(int length) {
    byte[] bytes = new byte[length];
    seeded.random().nextBytes(bytes);
    Arrays.fill(bytes, 0, length / 2, (byte) 'a');
    return bytes;
  }

  @ParameterizedTest
  @EnumSource
  void whatIsPackedIsUnpacked(Compression compression) throws IOException {
    RandomGenerator random = seeded.random();
    for (int i = 0; i < 200; i++) {
      byte[] contents = halfRandom(8 + random.nextInt(i % 10 == 0 ? 1 << 18 : 5000));

      assertThat(store(compression, contents).contents()).isEqualTo(Slice.wrap(contents));
    }
  }

  @Test
  void packingMakesBlocksSmaller() throws IOException {
    byte[] contents = halfRandom(16 << 10);

    assertThat(store(Compression.NONE, contents).handle().length()).isEqualTo(16 << 10);
    assertThat(store(Compression.LZ4, contents).handle().length()).isLessThan(9 << 10);
    assertThat(store(Compression.ZSTD, contents).handle().length()).isLessThan(9 << 10);
  }

  @ParameterizedTest
  @EnumSource
  void whatDoesNotShrinkByAnEighthIsStoredAsItIs(Compression compression) throws IOException {
    byte[] contents = new byte[16 << 10];
    seeded.random().nextBytes(contents);
    Arrays.fill(contents, 0, contents.length / 9, (byte) 0);

    assertThat(store(compression, contents).handle().length()).isEqualTo(contents.length);
  }

  @ParameterizedTest
  @EnumSource
  void contentsOfOneByteRepeatedStayWithinTheRatio(Compression compression) throws IOException {
    byte[] contents = new byte[1 << 20];
    Stored stored = store(compression, contents);

    assertThat(stored.contents()).isEqualTo(Slice.wrap(contents));
    assertThat(stored.handle().length() * 1024L).isGreaterThanOrEqualTo(contents.length);
  }
}
