package io.silkkv.client;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A key with its value. The arrays are the entry's own and are not copied: whoever changes them
 * changes this entry. Equal when all three parts are.
 */
public final class KvEntry {
  private final byte[] key;
  private final byte[] value;
  private final long version;

  /** An entry of these parts; the arrays are not copied. */
  public KvEntry(byte[] key, byte[] value, long version) {
    this.key = key;
    this.value = value;
    this.version = version;
  }

  /** The key. */
  public byte[] key() {
    return key;
  }

  /** The value; empty in a scan of keys only. */
  public byte[] value() {
    return value;
  }

  /** Grows with every write to the key; what {@link KvBatch#ifVersion} compares. */
  public long version() {
    return version;
  }

  /** The key as UTF-8 text. */
  public String keyText() {
    return new String(key, StandardCharsets.UTF_8);
  }

  /** The value as UTF-8 text. */
  public String valueText() {
    return new String(value, StandardCharsets.UTF_8);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof KvEntry entry
        && version == entry.version
        && Arrays.equals(key, entry.key)
        && Arrays.equals(value, entry.value);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(key) + Long.hashCode(version);
  }

  @Override
  public String toString() {
    return "KvEntry[key of "
        + key.length
        + " bytes, value of "
        + value.length
        + ", version "
        + version
        + "]";
  }
}
