package io.silkkv.router;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.util.UUID;

/** UUIDs as the 16 bytes, high half first, that messages carry. */
public final class UuidBytes {
  private UuidBytes() {}

  /** The 16 bytes of a UUID. */
  public static ByteString of(UUID uuid) {
    ByteBuffer bytes = ByteBuffer.allocate(16);
    bytes.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits()).flip();
    return ByteString.copyFrom(bytes);
  }

  /**
   * The UUID in 16 bytes.
   *
   * @param field what the bytes are, for the message
   * @throws IllegalArgumentException when there are not 16 bytes
   */
  public static UUID parse(String field, ByteString bytes) {
    if (bytes.size() != 16) {
      throw new IllegalArgumentException(
          field + " must have 16 bytes but has " + bytes.size() + "; the sender is not a SilkKV");
    }
    ByteBuffer buffer = bytes.asReadOnlyByteBuffer();
    return new UUID(buffer.getLong(), buffer.getLong());
  }
}
