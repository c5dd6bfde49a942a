package io.silkkv.engine.sstable;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import io.silkkv.engine.api.Compression;
import io.silkkv.engine.base.Crc32c;
import io.silkkv.engine.base.LittleEndian;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import org.jspecify.annotations.Nullable;

/**
 * Turns contents into blocks of a file: compresses them, adds the trailer, and hands them to the
 * output. Holds native memory until it is closed. Not thread-safe.
 */
final class BlockPacker implements AutoCloseable {
  private static final int ZSTD_LEVEL = 3;
  private static final LZ4Compressor LZ4 = LZ4Factory.fastestInstance().fastCompressor();

  private final ChunkedOutput output;
  private final Compression compression;
  private final @Nullable ZstdCompressCtx zstd;
  private byte[] packed = {};

  BlockPacker(ChunkedOutput output, Compression compression) {
    this.output = output;
    this.compression = compression;
    this.zstd =
        compression == Compression.ZSTD
            ? new ZstdCompressCtx().setLevel(ZSTD_LEVEL).setMagicless(true)
            : null;
  }

  /** Writes a block, packed if that is worth it. The sink may be changed. */
  BlockHandle write(ByteSink contents) {
    if (compression == Compression.NONE) {
      return writeRaw(contents);
    }
    byte code = SSTableFormat.codeOf(compression);
    int length = pack(contents, code);
    if (code == SSTableFormat.ZSTD && contents.size() > SSTableFormat.MOST_RATIO * (long) length) {
      code = SSTableFormat.LZ4;
      length = pack(contents, code);
    }
    return length > contents.size() - contents.size() / 8
        ? writeRaw(contents)
        : writePacked(length, code);
  }

  /** Writes a block as it is. The trailer is added to the sink. */
  BlockHandle writeRaw(ByteSink contents) {
    int length = contents.size();
    contents.putByte(SSTableFormat.RAW);
    contents.putInt(Crc32c.of(contents.array(), 0, contents.size()));
    return output.writeBlock(contents.array(), length);
  }

  private BlockHandle writePacked(int length, byte code) {
    packed[length] = code;
    LittleEndian.putInt(packed, length + 1, Crc32c.of(packed, 0, length + 1));
    return output.writeBlock(packed, length);
  }

  /** Fills {@link #packed} and returns how many bytes it holds then. */
  private int pack(ByteSink contents, byte code) {
    int size = contents.size();
    int most = Math.toIntExact(Math.max(LZ4.maxCompressedLength(size), Zstd.compressBound(size)));
    int needed = SSTableFormat.RAW_LENGTH_BYTES + most + SSTableFormat.TRAILER_BYTES;
    if (packed.length < needed) {
      packed = new byte[needed];
    }
    LittleEndian.putInt(packed, 0, size);
    int at = SSTableFormat.RAW_LENGTH_BYTES;
    ZstdCompressCtx context = zstd;
    int length =
        context != null && code == SSTableFormat.ZSTD
            ? context.compressByteArray(packed, at, most, contents.array(), 0, size)
            : LZ4.compress(contents.array(), 0, size, packed, at, most);
    return at + length;
  }

  @Override
  public void close() {
    if (zstd != null) {
      zstd.close();
    }
  }
}
