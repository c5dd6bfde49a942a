package io.silkkv.engine.sstable;

import com.github.luben.zstd.ZstdDictDecompress;
import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.api.EngineIoException;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.Crc32c;
import io.silkkv.engine.base.LittleEndian;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.ReadableFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The open file of a table: reads it, checks blocks, and names it in every error. Thread-safe. */
final class BlockFile {
  private final ReadableFile file;
  private final String name;

  /** Gives the dictionary of the table; null when it has none. Set before blocks are read. */
  private volatile @Nullable Supplier<ZstdDictDecompress> dictionary;

  BlockFile(ReadableFile file, String name) {
    this.file = file;
    this.name = name;
  }

  /** Unpacks blocks with the dictionary of the table from now on. */
  void useDictionary(Supplier<ZstdDictDecompress> source) {
    dictionary = source;
  }

  String name() {
    return name;
  }

  /** The same file for reads near its end, which it makes in advance. Not to be closed. */
  BlockFile withTailInMemory(IoClass why) {
    try {
      return new BlockFile(TailInMemory.of(file, why), name);
    } catch (EOFException e) {
      throw corrupt(file.size(), "the file is shorter than it was");
    } catch (IOException e) {
      throw new EngineIoException("read the end of " + name, e);
    }
  }

  long size() {
    return file.size();
  }

  /**
   * Fills {@code length} bytes of an array from {@code start} on. The range must lie within {@link
   * #size}.
   */
  void read(long offset, byte[] target, int start, int length, IoClass why) {
    try {
      file.read(offset, ByteBuffer.wrap(target, start, length), why);
    } catch (EOFException e) {
      throw corrupt(offset, "the file ends before " + length + " bytes from here");
    } catch (IOException e) {
      throw new EngineIoException("read " + length + " bytes of " + name + " at " + offset, e);
    }
  }

  /** Reads a block, checks and unpacks it. */
  Slice readBlock(BlockHandle handle, IoClass why) {
    byte[] stored = new byte[handle.length() + SSTableFormat.TRAILER_BYTES];
    read(handle.offset(), stored, 0, stored.length, why);
    byte code = check(stored, 0, handle);
    if (code == SSTableFormat.RAW) {
      return Slice.wrap(stored, 0, handle.length());
    }
    byte[] unpacked = new byte[rawLength(code, stored, 0, handle)];
    unpack(code, stored, 0, handle, unpacked, unpacked.length);
    return Slice.wrap(unpacked);
  }

  /**
   * Checks the trailer of a block that begins at {@code start} of an array.
   *
   * @return how the contents are stored
   */
  byte check(byte[] bytes, int start, BlockHandle handle) {
    int codeAt = start + handle.length();
    int expected = LittleEndian.getInt(bytes, codeAt + 1);
    int actual = Crc32c.of(bytes, start, handle.length() + 1);
    if (expected != actual) {
      throw corrupt(
          handle.offset(),
          "checksum of the block is "
              + Integer.toHexString(actual)
              + ", not "
              + Integer.toHexString(expected));
    }
    return bytes[codeAt];
  }

  /** {@link BlockUnpacker#rawLength} of a checked block. */
  int rawLength(byte code, byte[] bytes, int start, BlockHandle handle) {
    try {
      return BlockUnpacker.rawLength(code, bytes, start, handle.length());
    } catch (IllegalArgumentException e) {
      throw corruptBlock(handle, e);
    }
  }

  /** {@link BlockUnpacker#unpack} of a checked block. */
  void unpack(
      byte code, byte[] bytes, int start, BlockHandle handle, byte[] target, int rawLength) {
    try {
      BlockUnpacker.unpack(
          code, bytes, start, handle.length(), target, rawLength, dictionaryFor(code));
    } catch (IllegalArgumentException e) {
      throw corruptBlock(handle, e);
    }
  }

  private @Nullable ZstdDictDecompress dictionaryFor(byte code) {
    if (code != SSTableFormat.ZSTD_DICTIONARY) {
      return null;
    }
    Supplier<ZstdDictDecompress> source = dictionary;
    if (source == null) {
      throw new IllegalArgumentException("packed with a dictionary, but the table has none");
    }
    return source.get();
  }

  private CorruptionException corruptBlock(BlockHandle handle, IllegalArgumentException cause) {
    return corrupt(handle.offset(), "in a block: " + cause.getMessage());
  }

  CorruptionException corrupt(long offset, String detail) {
    return new CorruptionException(name, offset, detail);
  }

  void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new EngineIoException("close " + name, e);
    }
  }
}
