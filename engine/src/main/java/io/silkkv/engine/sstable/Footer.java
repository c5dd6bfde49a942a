package io.silkkv.engine.sstable;

import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.api.FormatTooNewException;
import io.silkkv.engine.api.FormatTooOldException;
import io.silkkv.engine.base.Crc32c;
import io.silkkv.engine.base.LittleEndian;

/**
 * The last bytes of a table, from which everything else is found. Each part ends where the next one
 * begins, the last one at the footer.
 *
 * @param dictionary where the data blocks end and the dictionary begins
 * @param filters where the filter partitions begin; equal to {@code dictionary} without one
 * @param indexes where the index partitions begin; equal to {@code filters} when there is no filter
 * @param top where the top index begins
 * @param properties where the properties begin
 * @param end where the footer begins
 */
record Footer(long dictionary, long filters, long indexes, long top, long properties, long end) {
  private static final int PARTS = 5;
  private static final int RESERVED_AT = PARTS * Long.BYTES;
  private static final int VERSION_AT = 48;
  private static final int CHECKSUM_AT = 52;
  private static final int MAGIC_AT = 56;

  boolean hasFilters() {
    return indexes > filters;
  }

  /** Where the data blocks end. */
  long dataEnd() {
    return dictionary;
  }

  boolean hasDictionary() {
    return filters > dictionary;
  }

  BlockHandle dictionaryHandle() {
    return between(dictionary, filters);
  }

  BlockHandle topHandle() {
    return between(top, properties);
  }

  BlockHandle propertiesHandle() {
    return between(properties, end);
  }

  private static BlockHandle between(long start, long end) {
    return new BlockHandle(start, (int) (end - start - SSTableFormat.TRAILER_BYTES));
  }

  void encode(ByteSink target) {
    int start = target.size();
    target.putLong(dictionary);
    target.putLong(filters);
    target.putLong(indexes);
    target.putLong(top);
    target.putLong(properties);
    for (int at = RESERVED_AT; at < VERSION_AT; at += Long.BYTES) {
      target.putLong(0);
    }
    target.putInt(SSTableFormat.VERSION);
    target.putInt(Crc32c.of(target.array(), start, CHECKSUM_AT));
    target.putLong(SSTableFormat.MAGIC);
  }

  /**
   * Reads and checks a footer. Magic and checksum come first: only an intact footer is believed
   * when it names another version.
   *
   * @param bytes the last {@link SSTableFormat#FOOTER_BYTES} bytes of the file
   */
  static Footer decode(byte[] bytes, String file, long fileBytes) {
    long at = fileBytes - SSTableFormat.FOOTER_BYTES;
    long magic = LittleEndian.getLong(bytes, MAGIC_AT);
    if (magic != SSTableFormat.MAGIC) {
      throw new CorruptionException(
          file, at + MAGIC_AT, "no table ends here: magic is " + Long.toHexString(magic));
    }
    if (LittleEndian.getInt(bytes, CHECKSUM_AT) != Crc32c.of(bytes, 0, CHECKSUM_AT)) {
      throw new CorruptionException(file, at, "checksum of the footer does not match");
    }
    int version = LittleEndian.getInt(bytes, VERSION_AT);
    if (Integer.compareUnsigned(version, SSTableFormat.VERSION) > 0) {
      throw new FormatTooNewException(file, version, SSTableFormat.VERSION);
    }
    if (version < SSTableFormat.OLDEST_VERSION) {
      throw new FormatTooOldException(file, version, SSTableFormat.OLDEST_VERSION);
    }
    long[] parts = new long[PARTS];
    for (int i = 0; i < PARTS; i++) {
      parts[i] = LittleEndian.getLong(bytes, i * Long.BYTES);
    }
    Footer footer = new Footer(parts[0], parts[1], parts[2], parts[3], parts[4], at);
    if (!footer.isPossible()) {
      throw new CorruptionException(file, at, "parts of the file cannot lie so: " + footer);
    }
    return footer;
  }

  private boolean isPossible() {
    return dictionary > 0
        && (filters == dictionary || holdsBlock(dictionary, filters))
        && filters - dictionary <= BlockHandle.MAX_LENGTH
        && (indexes == filters || holdsBlock(filters, indexes))
        && holdsBlock(indexes, top)
        && holdsBlock(top, properties)
        && holdsBlock(properties, end)
        && end - top <= BlockHandle.MAX_LENGTH;
  }

  private static boolean holdsBlock(long start, long end) {
    return start >= 0 && end > start && end - start > SSTableFormat.TRAILER_BYTES;
  }
}
