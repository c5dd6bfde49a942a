package io.silkkv.engine.sstable;

import io.silkkv.engine.api.Compression;

/**
 * The bytes of a table file, format version 2. Fixed-width integers ({@code u8}, {@code u32},
 * {@code u64}) are little-endian; {@code varint} is {@link io.silkkv.engine.base.Varint}; {@code
 * x{n}} is n times x; {@code len(x)} is the size of x in bytes.
 *
 * <pre>{@code
 * table       = block(data){1..} [block(dictionary)] block(filter){..} block(index){1..} block(top)
 *               block(properties) footer
 *               ; nothing lies between them: every byte of the file is under a checksum
 * block(x)    = stored(x) code:u8 checksum:u32
 *               ; checksum: CRC-32C of stored(x) and the code
 * stored(x)   = x                              ; code 0
 *             | len(x):u32 lz4(x)              ; code 1: one LZ4 block
 *             | len(x):u32 zstd(x)             ; code 2: one Zstandard frame without magic number
 *             | len(x):u32 zstd(x)             ; code 3: the same, with the dictionary of the table
 *               ; len(x) is at most 1024 times the length of stored(x); dictionary, filters, top
 *               ; and properties always have code 0
 *
 * data        = entries                        ; internal entries in order: user key ascending,
 *                                              ; then sequence descending
 * index       = entries                        ; one entry per data block of a partition, in file
 *                                              ; order; each block is in one partition
 * top         = entries                        ; one entry per partition, in file order
 * entries     = base:varint entry{1..} restart:u32{restarts} restarts:u32
 *               ; base: sequence of the first entry
 *               ; restart: offset of an entry in x, ascending; the first entry is one.
 *               ; Such an entry holds its whole key, so a search can begin there
 * entry       = shared:varint suffix_len:varint value_len:varint tag:varint suffix value
 *               ; shared: leading bytes of the key taken over from the entry before; 0 at a restart
 *               ; tag: zigzag(sequence - base) << 3 | kind; kind: 0 = deletion, 1 = put
 *               ; of data:  suffix completes the user key, value is the user's
 *               ; of index: the key, with its sequence, is at or after the last entry of the data
 *               ;           block and before the first entry of the next; kind is put;
 *               ;           value = handle
 *               ; of top:   the key, with its sequence, of the last entry of the index partition;
 *               ;           kind is put; value = handle of the index partition, and if there are
 *               ;           filters, handle of the filter partition
 * handle      = offset:varint length:varint    ; of stored(x); the 5 bytes behind it not counted
 *
 * dictionary  = u8{1..}                        ; of Zstandard, trained on blocks of this table
 * filter      = line{64 bytes}{1..} probes:u8  ; see BloomFilter; of all user keys of a partition
 *                                              ; and of their prefixes
 *
 * properties  = property{..}                   ; unknown tags are skipped
 * property    = tag:varint length:varint bytes
 *               ; 1 name of the key order, always "bytewise, newest first"
 *               ; 2 smallest user key      3 largest user key
 *               ; 4 smallest sequence      5 largest sequence        (varint)
 *               ; 6 entries                7 deletions among them    (varint)
 *               ; 8 bytes of all user keys 9 bytes of all values     (varint)
 *               ; 10 compression that the writer was told to use, as its code (varint)
 *               ; 11 rule for prefixes in filters (varint): 0 = none; 256 + n = the first n bytes;
 *               ;    512 + b = up to the first byte b, which is part of the prefix
 *               ; 32 range deletions, which are no entries; see RangeDeletions
 *
 * footer      = dictionary:u64 filters:u64 indexes:u64 top:u64 properties:u64 zero:u64
 *               ; where the dictionary, the first filter, the first index, top and properties
 *               ; begin; of what is missing, where the next one does
 *               version:u32 checksum:u32 magic:u64
 *               ; checksum: CRC-32C of the 52 bytes before it
 *               ; magic: the ASCII bytes "SilkvSST"
 * }</pre>
 *
 * <p>Later versions may change everything but this: a table ends with version, checksum of the 52
 * bytes before it, and magic. So a file of a newer release is told apart from a damaged one.
 */
final class SSTableFormat {
  /** The version that is written, and the only one that is read. */
  static final int VERSION = 2;

  /** Oldest version that is read; version 1 had no compression and was never released. */
  static final int OLDEST_VERSION = 2;

  /** "SilkvSST" read as a little-endian number. */
  static final long MAGIC = 0x5453_5376_6b6c_6953L;

  static final int FOOTER_BYTES = 64;

  /** Code and checksum behind each block. */
  static final int TRAILER_BYTES = 5;

  /** Code of contents stored as they are. */
  static final byte RAW = 0;

  /** Code of contents packed by LZ4. */
  static final byte LZ4 = 1;

  /** Code of contents packed by Zstandard. */
  static final byte ZSTD = 2;

  /** Code of contents packed by Zstandard with the dictionary of the table. */
  static final byte ZSTD_DICTIONARY = 3;

  /** Bytes before packed contents that say how long they are unpacked. */
  static final int RAW_LENGTH_BYTES = 4;

  /** Contents are unpacked at most so many times as long as packed. */
  static final int MOST_RATIO = 1024;

  /** Bits of an entry's tag that hold the kind. */
  static final int KIND_BITS = 3;

  /** Sequences are below this, so that a tag fits 64 bits with room to spare. */
  static final long SEQUENCE_LIMIT = 1L << 56;

  /** Most bytes of key and value together; keeps every block within an array. */
  static final int MAX_ENTRY_BYTES = 256 << 20;

  /** Name of the key order, so that a table sorted otherwise is never searched by mistake. */
  static final String KEY_ORDER = "bytewise, newest first";

  private SSTableFormat() {}

  /** How a block is marked that is packed so, without a dictionary. */
  static byte codeOf(Compression compression) {
    return switch (compression) {
      case NONE -> RAW;
      case LZ4 -> LZ4;
      case ZSTD -> ZSTD;
    };
  }
}
