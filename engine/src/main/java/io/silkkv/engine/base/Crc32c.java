package io.silkkv.engine.base;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The checksum of all engine files: CRC-32C (Castagnoli), which processors compute in hardware. It
 * is stored as it is, not masked: masking guards checksums taken over bytes that hold checksums of
 * their own, and no format of ours does that. Runs of zeros do not pass as valid, because the CRC
 * of zero bytes is not zero.
 */
public final class Crc32c {
  private Crc32c() {}

  /** Checksum of a range of an array. */
  public static int of(byte[] bytes, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, offset, length);
    return (int) crc.getValue();
  }

  /** Checksum of the remaining bytes of a buffer, whose position does not move. */
  public static int of(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate());
    return (int) crc.getValue();
  }
}
