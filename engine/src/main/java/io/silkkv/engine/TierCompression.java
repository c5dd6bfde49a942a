package io.silkkv.engine;

import io.silkkv.engine.api.Compression;
import io.silkkv.engine.version.Tier;

/**
 * Compression by the place of a table in the tree ("Optimizing Space Amplification in RocksDB",
 * Dong et al., CIDR 2017): the upper tables are rewritten so often that the processor time would
 * hurt and are too few to matter; the last level holds nine tenths of the data and gets the
 * strongest.
 *
 * @param upper of level 0 and of what is merged from it into the level below
 * @param middle in between
 * @param last of the last level
 */
public record TierCompression(Compression upper, Compression middle, Compression last) {
  /** None, LZ4, Zstandard. */
  public static final TierCompression DEFAULTS =
      new TierCompression(Compression.NONE, Compression.LZ4, Compression.ZSTD);

  /** The same everywhere. */
  public static TierCompression all(Compression compression) {
    return new TierCompression(compression, compression, compression);
  }

  Compression of(Tier tier) {
    return switch (tier) {
      case UPPER -> upper;
      case MIDDLE -> middle;
      case LAST -> last;
    };
  }
}
