package io.silkkv.ops.load;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * SHA-256 over keys and values in key order: for each pair the key's length (4 bytes, big endian),
 * the key, the value's length and the value. Not thread-safe.
 */
public final class RecordDigest {
  private final MessageDigest sha256;
  private final byte[] length = new byte[Integer.BYTES];
  private long count;

  public RecordDigest() {
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Adds the next pair; keys must increase. */
  public void add(byte[] key, byte[] value) {
    addBytes(key);
    addBytes(value);
    count++;
  }

  private void addBytes(byte[] bytes) {
    ByteBuffer.wrap(length).putInt(bytes.length);
    sha256.update(length);
    sha256.update(bytes);
  }

  /** Pairs added. */
  public long count() {
    return count;
  }

  /** The digest in hex; ends the use of this object. */
  public String hex() {
    return HexFormat.of().formatHex(sha256.digest());
  }
}
