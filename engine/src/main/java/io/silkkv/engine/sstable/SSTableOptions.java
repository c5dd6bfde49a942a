package io.silkkv.engine.sstable;

import io.silkkv.engine.api.Compression;
import io.silkkv.engine.api.PrefixRule;
import java.util.ArrayList;
import java.util.List;

/**
 * How a table is laid out. Readers need none of it: what they must know is in the file.
 *
 * @param blockBytes size up to which a data block is filled; an entry that is larger gets a block
 *     of its own. An index partition has a quarter of it. 64 bytes to 16 MiB
 * @param restartInterval every so many entries a key is stored in full; in between only what
 *     differs from the key before. 1 to 1024
 * @param bloomBitsPerKey size of the filter; 10 lets about 1 % of the absent keys pass. 0 leaves
 *     the filter out; at most 64
 * @param compression of data and index
 * @param dictionaryBytes size of a dictionary for blocks packed by Zstandard, trained on the first
 *     entries of the table, a hundred times as many bytes; 0 for none, at most 1 MiB
 * @param prefixes which prefixes of keys the filter holds too
 */
public record SSTableOptions(
    int blockBytes,
    int restartInterval,
    int bloomBitsPerKey,
    Compression compression,
    int dictionaryBytes,
    PrefixRule prefixes) {
  /** 16 KiB blocks, a restart every 16 entries, 10 filter bits per key, no compression. */
  public static final SSTableOptions DEFAULTS =
      new SSTableOptions(16 << 10, 16, 10, Compression.NONE, 0, PrefixRule.NONE);

  /**
   * @throws IllegalArgumentException naming every value that is out of range
   */
  public SSTableOptions {
    List<String> violations = new ArrayList<>();
    check(violations, "blockBytes", blockBytes, 64, 16 << 20);
    check(violations, "restartInterval", restartInterval, 1, 1024);
    check(violations, "bloomBitsPerKey", bloomBitsPerKey, 0, 64);
    check(violations, "dictionaryBytes", dictionaryBytes, 0, 1 << 20);
    if (!violations.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", violations));
    }
  }

  private static void check(List<String> violations, String name, int value, int min, int max) {
    if (value < min || value > max) {
      violations.add(name + " must be " + min + " to " + max + ", not " + value);
    }
  }
}
