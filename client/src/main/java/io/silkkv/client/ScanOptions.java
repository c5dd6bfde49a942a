package io.silkkv.client;

import com.google.protobuf.ByteString;
import io.silkkv.router.KeyOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Which keys a scan visits, and how. Immutable: every method returns a changed copy, so a common
 * start can be shared.
 */
public final class ScanOptions {
  private static final ScanOptions ALL =
      new ScanOptions(ByteString.EMPTY, null, false, 0, false, 256 << 10);
  private static final int MAX_PAGE_BYTES = 4 << 20;

  private final ByteString start;
  private final @Nullable ByteString end;
  private final boolean reverse;
  private final long limit;
  private final boolean keysOnly;
  private final int pageBytes;

  private ScanOptions(
      ByteString start,
      @Nullable ByteString end,
      boolean reverse,
      long limit,
      boolean keysOnly,
      int pageBytes) {
    this.start = start;
    this.end = end;
    this.reverse = reverse;
    this.limit = limit;
    this.keysOnly = keysOnly;
    this.pageBytes = pageBytes;
  }

  /** All keys, ascending. */
  public static ScanOptions all() {
    return ALL;
  }

  /** The keys that start with a prefix; an empty prefix means all keys. */
  public static ScanOptions prefix(byte[] prefix) {
    ByteString start = ByteString.copyFrom(prefix);
    return new ScanOptions(start, KeyOrder.endOfPrefix(start), false, 0, false, ALL.pageBytes);
  }

  /** The keys that start with a prefix, given as UTF-8. */
  public static ScanOptions prefix(String prefix) {
    return prefix(prefix.getBytes(StandardCharsets.UTF_8));
  }

  /** The keys from {@code start} (inclusive) to {@code end} (exclusive). */
  public static ScanOptions range(byte[] start, byte[] end) {
    return ALL.from(start).to(end);
  }

  /** The keys from {@code start} (inclusive) to {@code end} (exclusive), given as UTF-8. */
  public static ScanOptions range(String start, String end) {
    return range(start.getBytes(StandardCharsets.UTF_8), end.getBytes(StandardCharsets.UTF_8));
  }

  /** Starts at this key, inclusive; an empty key is no bound. */
  public ScanOptions from(byte[] first) {
    ByteString bound = ByteString.copyFrom(first);
    return new ScanOptions(bound, end, reverse, limit, keysOnly, pageBytes);
  }

  /** Ends before this key; an empty key is no bound. */
  public ScanOptions to(byte[] endExclusive) {
    ByteString bound = endExclusive.length == 0 ? null : ByteString.copyFrom(endExclusive);
    return new ScanOptions(start, bound, reverse, limit, keysOnly, pageBytes);
  }

  /** From the end towards the start. */
  public ScanOptions reversed() {
    return new ScanOptions(start, end, true, limit, keysOnly, pageBytes);
  }

  /** At most this many entries; 0 is no limit. */
  public ScanOptions limit(long entries) {
    if (entries < 0) {
      throw new IllegalArgumentException(
          "a scan's limit must be 0 (none) or more but is " + entries);
    }
    return new ScanOptions(start, end, reverse, entries, keysOnly, pageBytes);
  }

  /** Without values. */
  public ScanOptions keysOnly() {
    return new ScanOptions(start, end, reverse, limit, true, pageBytes);
  }

  /** Soft size of a page in bytes, from 1 KiB to 4 MiB; default 256 KiB. */
  public ScanOptions pageBytes(int bytes) {
    if (bytes < 1 << 10 || bytes > MAX_PAGE_BYTES) {
      throw new IllegalArgumentException(
          "a scan's page must have 1024 to " + MAX_PAGE_BYTES + " bytes but has " + bytes);
    }
    return new ScanOptions(start, end, reverse, limit, keysOnly, bytes);
  }

  ByteString start() {
    return start;
  }

  @Nullable ByteString end() {
    return end;
  }

  boolean isReverse() {
    return reverse;
  }

  long limit() {
    return limit;
  }

  boolean isKeysOnly() {
    return keysOnly;
  }

  int pageBytes() {
    return pageBytes;
  }
}
