package io.silkkv.engine.sstable;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDictCompress;
import io.silkkv.engine.api.Compression;
import io.silkkv.engine.base.Crc32c;
import io.silkkv.engine.base.LittleEndian;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import org.jspecify.annotations.Nullable;

/**
 * Turns contents into a block: compresses them and adds the trailer. Holds one block at a time, and
 * native memory until it is closed. Not thread-safe.
 */
final class BlockPacker implements AutoCloseable {
  private static final int ZSTD_LEVEL = 3;
  private static final LZ4Compressor LZ4 = LZ4Factory.fastestInstance().fastCompressor();

  private final Compression compression;
  private final @Nullable ZstdCompressCtx zstd;
  private byte[] packed = {};
  private byte @Nullable [] dictionary;
  private @Nullable ZstdDictCompress loaded;

  /** The block, with its trailer: in {@link #packed} or in the caller's sink. */
  private byte[] block = {};

  /** Its length without the trailer. */
  private int length;

  BlockPacker(Compression compression) {
    this.compression = compression;
    this.zstd =
        compression == Compression.ZSTD
            ? new ZstdCompressCtx().setLevel(ZSTD_LEVEL).setMagicless(true).setDictID(false)
            : null;
  }

  /** Packs what follows with a dictionary, which the reader has to have. */
  void useDictionary(byte[] bytes) {
    if (zstd == null) {
      throw new IllegalStateException("only Zstandard has dictionaries");
    }
    loaded = new ZstdDictCompress(bytes, ZSTD_LEVEL);
    zstd.loadDict(loaded);
    dictionary = bytes;
  }

  /** The dictionary in use, or null. */
  byte @Nullable [] dictionary() {
    return dictionary;
  }

  /**
   * Makes a block, packed if that is worth it. Valid until the sink changes or the next block; the
   * trailer may be added to the sink.
   */
  void pack(ByteSink contents) {
    if (compression == Compression.NONE) {
      keep(contents);
      return;
    }
    byte code =
        dictionary == null ? SSTableFormat.codeOf(compression) : SSTableFormat.ZSTD_DICTIONARY;
    int size = compress(contents, code);
    if (code != SSTableFormat.LZ4 && contents.size() > SSTableFormat.MOST_RATIO * (long) size) {
      code = SSTableFormat.LZ4;
      size = compress(contents, code);
    }
    if (size > contents.size() - contents.size() / 8) {
      keep(contents);
      return;
    }
    packed[size] = code;
    LittleEndian.putInt(packed, size + 1, Crc32c.of(packed, 0, size + 1));
    block = packed;
    length = size;
  }

  /** Makes a block of contents as they are, with the trailer in the sink. */
  void keep(ByteSink contents) {
    length = contents.size();
    contents.putByte(SSTableFormat.RAW);
    contents.putInt(Crc32c.of(contents.array(), 0, contents.size()));
    block = contents.array();
  }

  /** Writes the block. */
  BlockHandle writeTo(ChunkedOutput output) {
    BlockHandle handle = new BlockHandle(output.size(), length);
    output.write(block, length + SSTableFormat.TRAILER_BYTES);
    return handle;
  }

  /** Appends the block to others. The handle is relative to the begin of the sink. */
  BlockHandle appendTo(ByteSink others) {
    BlockHandle handle = new BlockHandle(others.size(), length);
    others.put(block, 0, length + SSTableFormat.TRAILER_BYTES);
    return handle;
  }

  /** Fills {@link #packed} and returns how many bytes it holds then. */
  private int compress(ByteSink contents, byte code) {
    int size = contents.size();
    int most = Math.toIntExact(Math.max(LZ4.maxCompressedLength(size), Zstd.compressBound(size)));
    int needed = SSTableFormat.RAW_LENGTH_BYTES + most + SSTableFormat.TRAILER_BYTES;
    if (packed.length < needed) {
      packed = new byte[needed];
    }
    LittleEndian.putInt(packed, 0, size);
    int at = SSTableFormat.RAW_LENGTH_BYTES;
    ZstdCompressCtx context = zstd;
    int count =
        context != null && code != SSTableFormat.LZ4
            ? context.compressByteArray(packed, at, most, contents.array(), 0, size)
            : LZ4.compress(contents.array(), 0, size, packed, at, most);
    return at + count;
  }

  @Override
  public void close() {
    if (zstd != null) {
      zstd.close();
    }
    if (loaded != null) {
      loaded.close();
    }
  }
}
