package io.silkkv.engine.sstable;

import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.api.EngineIoException;
import io.silkkv.engine.base.Crc32c;
import io.silkkv.engine.base.LittleEndian;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.ReadableFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The open file of a table: reads it, checks blocks, and names it in every error. Thread-safe. */
final class BlockFile {
  private final ReadableFile file;
  private final String name;

  BlockFile(ReadableFile file, String name) {
    this.file = file;
    this.name = name;
  }

  String name() {
    return name;
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

  /** Reads a block with its trailer and checks it. */
  byte[] readBlock(BlockHandle handle, IoClass why) {
    byte[] block = new byte[handle.length() + SSTableFormat.TRAILER_BYTES];
    read(handle.offset(), block, 0, block.length, why);
    check(block, 0, handle);
    return block;
  }

  /** Checks the trailer of a block that begins at {@code start} of an array. */
  void check(byte[] bytes, int start, BlockHandle handle) {
    int compressionAt = start + handle.length();
    int expected = LittleEndian.getInt(bytes, compressionAt + 1);
    int actual = Crc32c.of(bytes, start, handle.length() + 1);
    if (expected != actual) {
      throw corrupt(
          handle.offset(),
          "checksum of the block is "
              + Integer.toHexString(actual)
              + ", not "
              + Integer.toHexString(expected));
    }
    if (bytes[compressionAt] != SSTableFormat.UNCOMPRESSED) {
      throw corrupt(handle.offset(), "unknown compression code " + bytes[compressionAt]);
    }
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
