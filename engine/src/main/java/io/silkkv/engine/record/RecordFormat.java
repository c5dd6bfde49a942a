package io.silkkv.engine.record;

import io.silkkv.engine.base.Crc32c;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The framing of a record file. All numbers are unsigned and big endian.
 *
 * <pre>
 * file    := header record*
 * header  := magic:8 bytes  version:u32  crc32c(magic version):u32
 * record  := length:u32  crc32c(length):u32  crc32c(payload):u32  payload:length bytes
 * </pre>
 *
 * <p>A record that was never synced may be cut short by a crash, or hold zeros or garbage; it is
 * the last of its file, and nobody was told that it is durable. So a damaged record is torn when no
 * whole record follows it, and corrupt otherwise. The length has a checksum of its own, so that a
 * flipped bit in it cannot hide the records behind it. What cannot be told apart is damage to the
 * very last synced record: it reads as torn, and the state goes back by that record.
 *
 * @param magic eight ASCII characters that open the file
 * @param oldest oldest format version that this release reads
 * @param newest newest format version that this release reads, and the one it writes
 */
public record RecordFormat(String magic, int oldest, int newest) {
  static final int FILE_HEADER_BYTES = 16;
  static final int RECORD_HEADER_BYTES = 12;
  private static final int MAGIC_BYTES = 8;

  public RecordFormat {
    if (magic.getBytes(StandardCharsets.US_ASCII).length != MAGIC_BYTES) {
      throw new IllegalArgumentException("the magic must have 8 characters: " + magic);
    }
  }

  ByteBuffer fileHeader() {
    ByteBuffer header = ByteBuffer.allocate(FILE_HEADER_BYTES);
    header.put(magic.getBytes(StandardCharsets.US_ASCII)).putInt(newest);
    header.putInt(Crc32c.of(header.array(), 0, MAGIC_BYTES + Integer.BYTES));
    return header.flip();
  }

  boolean hasMagic(byte[] header) {
    return magic.equals(new String(header, 0, MAGIC_BYTES, StandardCharsets.US_ASCII));
  }

  static boolean hasValidChecksum(byte[] header) {
    int covered = MAGIC_BYTES + Integer.BYTES;
    return intAt(header, covered) == Crc32c.of(header, 0, covered);
  }

  static int version(byte[] header) {
    return intAt(header, MAGIC_BYTES);
  }

  /** Length that a record header at an index claims; -1 when it is damaged or exceeds the limit. */
  static int payloadLength(byte[] bytes, int header, long limit) {
    int length = intAt(bytes, header);
    boolean whole =
        length >= 0
            && length <= limit
            && intAt(bytes, header + 4) == Crc32c.of(bytes, header, Integer.BYTES);
    return whole ? length : -1;
  }

  /** Whether a payload is the one that the record header at an index was written for. */
  static boolean payloadMatches(byte[] bytes, int header, byte[] payload, int from, int length) {
    return intAt(bytes, header + 8) == Crc32c.of(payload, from, length);
  }

  private static int intAt(byte[] bytes, int at) {
    return ByteBuffer.wrap(bytes).getInt(at);
  }
}
