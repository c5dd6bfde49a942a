package io.silkkv.engine.sstable;

import io.silkkv.engine.api.Slice;

/** Short keys between two keys: they keep the index small. */
final class Separator {
  private Separator() {}

  /**
   * A key that is at or after {@code last} and before {@code next}, as short as is easily found.
   *
   * @param last before {@code next}
   */
  static Slice between(Slice last, Slice next) {
    int differs = last.commonPrefixLength(next);
    if (differs == last.length()) {
      return last;
    }
    int lastByte = last.byteAt(differs) & 0xff;
    if (lastByte + 1 < (next.byteAt(differs) & 0xff)) {
      return incremented(last, differs);
    }
    // Cutting here could reach next; any longer prefix of last stays before it.
    for (int i = differs + 1; i < last.length(); i++) {
      if (last.byteAt(i) != (byte) 0xff) {
        return incremented(last, i);
      }
    }
    return last;
  }

  /** The key up to and including {@code index}, with that byte one larger. */
  private static Slice incremented(Slice key, int index) {
    byte[] bytes = key.slice(0, index + 1).toByteArray();
    bytes[index]++;
    return Slice.wrap(bytes);
  }
}
