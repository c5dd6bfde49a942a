package io.silkkv.engine.sstable;

import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.api.FormatTooNewException;
import io.silkkv.engine.api.FormatTooOldException;
import io.silkkv.engine.base.Crc32c;
import io.silkkv.engine.base.LittleEndian;

/**
 * The last bytes of a table, from which everything else is found.
 *
 * @param filter where the filter is; length 0 when there is none
 * @param index where the index is
 * @param properties where the properties are
 */
record Footer(BlockHandle filter, BlockHandle index, BlockHandle properties) {
  private static final int VERSION_AT = 48;
  private static final int CHECKSUM_AT = 52;
  private static final int MAGIC_AT = 56;

  boolean hasFilter() {
    return filter.length() > 0;
  }

  /** Where the data blocks end. */
  long dataEnd() {
    return hasFilter() ? filter.offset() : index.offset();
  }

  void encode(ByteSink target) {
    int start = target.size();
    encode(filter, target);
    encode(index, target);
    encode(properties, target);
    target.putInt(SSTableFormat.VERSION);
    target.putInt(Crc32c.of(target.array(), start, CHECKSUM_AT));
    target.putLong(SSTableFormat.MAGIC);
  }

  private static void encode(BlockHandle handle, ByteSink target) {
    target.putLong(handle.offset());
    target.putLong(handle.length());
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
    Footer footer =
        new Footer(
            handle(bytes, 0, file, at), handle(bytes, 16, file, at), handle(bytes, 32, file, at));
    footer.checkLayout(file, at);
    return footer;
  }

  /** The meta blocks must follow each other without gaps, up to the footer. */
  private void checkLayout(String file, long footerAt) {
    boolean contiguous =
        (!hasFilter() || filter.end() == index.offset())
            && index.end() == properties.offset()
            && properties.end() == footerAt;
    if (!contiguous) {
      throw new CorruptionException(file, footerAt, "blocks do not adjoin: " + this);
    }
  }

  private static BlockHandle handle(byte[] bytes, int at, String file, long footerAt) {
    long offset = LittleEndian.getLong(bytes, at);
    long length = LittleEndian.getLong(bytes, at + Long.BYTES);
    boolean inside =
        offset >= 0
            && offset <= footerAt
            && length >= 0
            && length <= footerAt - offset
            && length <= BlockHandle.MAX_LENGTH;
    if (!inside) {
      throw new CorruptionException(
          file, footerAt + at, "block of " + length + " bytes at " + offset + " leaves the file");
    }
    return new BlockHandle(offset, (int) length);
  }
}
