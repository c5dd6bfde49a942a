package io.silkkv.engine.sstable;

import io.silkkv.engine.api.Compression;
import io.silkkv.engine.api.PrefixRule;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.Varint;
import io.silkkv.engine.range.RangeDeletions;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a table holds.
 *
 * @param smallest smallest user key
 * @param largest largest user key
 * @param smallestSequence oldest sequence
 * @param largestSequence newest sequence
 * @param entries number of entries, all versions of a key counted
 * @param deletions how many of them are deletions
 * @param fileBytes size of the file
 * @param rawKeyBytes bytes of the user keys of all entries
 * @param rawValueBytes bytes of the values of all entries
 * @param compression what the writer was told to use; blocks that did not shrink are raw
 * @param prefixes which prefixes of keys are in the filter
 * @param ranges range deletions, which are no entries
 */
public record SSTableProperties(
    Slice smallest,
    Slice largest,
    long smallestSequence,
    long largestSequence,
    long entries,
    long deletions,
    long fileBytes,
    long rawKeyBytes,
    long rawValueBytes,
    Compression compression,
    PrefixRule prefixes,
    RangeDeletions ranges) {

  private static final int KEY_ORDER = 1;
  private static final int SMALLEST = 2;
  private static final int LARGEST = 3;
  private static final int FIRST_NUMBER = 4;
  private static final int NUMBERS = 8;
  private static final int RANGES = 32;

  /** Appends the contents of the properties block. */
  void encode(ByteSink target) {
    put(target, KEY_ORDER, Slice.utf8(SSTableFormat.KEY_ORDER));
    put(target, SMALLEST, smallest);
    put(target, LARGEST, largest);
    long[] numbers = {
      smallestSequence,
      largestSequence,
      entries,
      deletions,
      rawKeyBytes,
      rawValueBytes,
      SSTableFormat.codeOf(compression),
      prefixes.code()
    };
    for (int i = 0; i < NUMBERS; i++) {
      target.putVarint(FIRST_NUMBER + i);
      target.putVarint(Varint.sizeOf(numbers[i]));
      target.putVarint(numbers[i]);
    }
    if (!ranges.isEmpty()) {
      put(target, RANGES, Slice.wrap(ranges.encode()));
    }
  }

  private static void put(ByteSink target, int tag, Slice bytes) {
    target.putVarint(tag);
    target.putVarint(bytes.length());
    target.put(bytes);
  }

  /**
   * Reads the contents of the properties block.
   *
   * @param fileBytes size of the file, which the block cannot know
   * @throws IllegalArgumentException saying what is wrong
   */
  static SSTableProperties decode(Slice block, long fileBytes) {
    @Nullable Slice[] texts = new @Nullable Slice[LARGEST + 1];
    long[] numbers = new long[NUMBERS];
    Arrays.fill(numbers, -1);
    RangeDeletions ranges = RangeDeletions.NONE;
    ByteBuffer bytes = block.toByteBuffer();
    while (bytes.hasRemaining()) {
      long tag = Varint.read(bytes);
      int length = Varint.readInt(bytes);
      if (length > bytes.remaining()) {
        throw new IllegalArgumentException("property " + tag + " is cut off");
      }
      ByteBuffer value = bytes.slice(bytes.position(), length);
      bytes.position(bytes.position() + length);
      if (tag >= KEY_ORDER && tag <= LARGEST) {
        texts[(int) tag] = Slice.copyOf(value);
      } else if (tag >= FIRST_NUMBER && tag < FIRST_NUMBER + NUMBERS) {
        numbers[(int) tag - FIRST_NUMBER] = Varint.read(value);
      } else if (tag == RANGES) {
        ranges = RangeDeletions.decode(value);
      }
    }
    String order = require(texts[KEY_ORDER], KEY_ORDER).toUtf8();
    if (!order.equals(SSTableFormat.KEY_ORDER)) {
      throw new IllegalArgumentException("keys are in an unknown order: " + order);
    }
    for (int i = 0; i < NUMBERS; i++) {
      if (numbers[i] < 0) {
        throw new IllegalArgumentException("property " + (FIRST_NUMBER + i) + " is missing");
      }
    }
    return new SSTableProperties(
        require(texts[SMALLEST], SMALLEST),
        require(texts[LARGEST], LARGEST),
        numbers[0],
        numbers[1],
        numbers[2],
        numbers[3],
        fileBytes,
        numbers[4],
        numbers[5],
        compression(numbers[6]),
        PrefixRule.ofCode(numbers[7]),
        ranges);
  }

  private static Compression compression(long code) {
    for (Compression each : Compression.values()) {
      if (SSTableFormat.codeOf(each) == code) {
        return each;
      }
    }
    throw new IllegalArgumentException("unknown compression " + code);
  }

  private static Slice require(@Nullable Slice text, int tag) {
    if (text == null) {
      throw new IllegalArgumentException("property " + tag + " is missing");
    }
    return text;
  }
}
