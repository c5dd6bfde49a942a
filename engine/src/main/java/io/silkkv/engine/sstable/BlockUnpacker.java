package io.silkkv.engine.sstable;

import com.github.luben.zstd.ZstdDictDecompress;
import com.github.luben.zstd.ZstdException;
import io.silkkv.engine.base.LittleEndian;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import org.jspecify.annotations.Nullable;

/**
 * Unpacks the contents of blocks whose checksum is right. A length that a block declares is
 * believed only within the limits of {@link SSTableFormat}, so a writer gone wrong cannot make a
 * reader ask for memory out of proportion to the file. Stateless.
 */
final class BlockUnpacker {
  private static final LZ4SafeDecompressor LZ4 = LZ4Factory.fastestInstance().safeDecompressor();

  private BlockUnpacker() {}

  /**
   * Bytes of the contents when unpacked.
   *
   * @param code one other than {@link SSTableFormat#RAW}
   * @param length bytes of the contents as stored
   * @throws IllegalArgumentException when the block cannot be right
   */
  static int rawLength(byte code, byte[] bytes, int start, int length) {
    if (code < SSTableFormat.LZ4 || code > SSTableFormat.ZSTD_DICTIONARY) {
      throw new IllegalArgumentException("unknown compression code " + code);
    }
    if (length < SSTableFormat.RAW_LENGTH_BYTES) {
      throw new IllegalArgumentException("too short for a packed block: " + length + " bytes");
    }
    int raw = LittleEndian.getInt(bytes, start);
    if (raw < 1 || raw > BlockHandle.MAX_LENGTH || raw > SSTableFormat.MOST_RATIO * (long) length) {
      throw new IllegalArgumentException(
          "impossible length " + Integer.toUnsignedString(raw) + " of " + length + " packed bytes");
    }
    return raw;
  }

  /**
   * Unpacks the first {@code rawLength} bytes of a target.
   *
   * @param dictionary of the table, needed for such blocks
   * @throws IllegalArgumentException when the block is not what it says
   */
  static void unpack(
      byte code,
      byte[] bytes,
      int start,
      int length,
      byte[] target,
      int rawLength,
      @Nullable ZstdDictDecompress dictionary) {
    int from = start + SSTableFormat.RAW_LENGTH_BYTES;
    int count = length - SSTableFormat.RAW_LENGTH_BYTES;
    int unpacked;
    try {
      unpacked =
          code == SSTableFormat.LZ4
              ? LZ4.decompress(bytes, from, count, target, 0, rawLength)
              : Zstandard.decompress(bytes, from, count, target, rawLength, dictionary);
    } catch (LZ4Exception | ZstdException e) {
      throw new IllegalArgumentException("does not unpack: " + e.getMessage(), e);
    }
    if (unpacked != rawLength) {
      throw new IllegalArgumentException("unpacks to " + unpacked + " bytes, not " + rawLength);
    }
  }
}
