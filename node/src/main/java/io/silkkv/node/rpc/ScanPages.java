package io.silkkv.node.rpc;

import com.google.protobuf.ByteString;
import io.silkkv.engine.api.Cursor;
import io.silkkv.engine.api.ReadView;
import io.silkkv.engine.api.Slice;
import io.silkkv.router.KeyOrder;
import io.silkkv.router.Shard;
import io.silkkv.v1.Entry;
import io.silkkv.v1.ScanPage;
import io.silkkv.v1.ScanRequest;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads one page of a scan: the part of the range that lies in one shard, until the page is full,
 * its time is over, the limit is reached or the shard ends. Thread-safe.
 */
final class ScanPages {
  private final int pageBytes;
  private final int maxPageBytes;
  private final int maxEntries;
  private final long maxNanos;
  private final LongSupplier nanoTime;

  ScanPages(RequestPathOptions options, LongSupplier nanoTime) {
    this.pageBytes = options.pageBytes();
    this.maxPageBytes = options.maxPageBytes();
    this.maxEntries = options.maxPageEntries();
    this.maxNanos = options.maxPageTime().toNanos();
    this.nanoTime = nanoTime;
  }

  /**
   * The first page of the request's range within {@code shard}. Has at least one entry when there
   * is one, so that a scan always moves on.
   */
  ScanPage read(ReadView view, ScanRequest request, Shard shard) {
    Slice lower = lowerBound(request, shard);
    Slice upper = upperBound(request, shard);
    try (Cursor cursor = view.cursor(lower, upper)) {
      return request.getReverse()
          ? readBackward(cursor, request, shard)
          : readForward(cursor, request, shard);
    }
  }

  private ScanPage readForward(Cursor cursor, ScanRequest request, Shard shard) {
    Fill fill = new Fill(request);
    for (cursor.first(); cursor.valid(); cursor.next()) {
      if (fill.limitReached()) {
        return fill.end();
      }
      if (fill.isFull()) {
        return fill.goOnAt(Bytes.copy(cursor.key()));
      }
      fill.add(cursor);
    }
    ByteString shardEnd = shard.end();
    return shardEnd != null && KeyOrder.isBefore(shardEnd, request.getEnd()) && !fill.limitReached()
        ? fill.goOnAt(shardEnd)
        : fill.end();
  }

  private ScanPage readBackward(Cursor cursor, ScanRequest request, Shard shard) {
    Fill fill = new Fill(request);
    for (cursor.last(); cursor.valid(); cursor.prev()) {
      if (fill.limitReached()) {
        return fill.end();
      }
      if (fill.isFull()) {
        // The end of a range is exclusive, so the next page stops before the last key of this one.
        return fill.goOnAt(fill.lastKey());
      }
      fill.add(cursor);
    }
    boolean rangeGoesOn = KeyOrder.compare(request.getStart(), shard.start()) < 0;
    return rangeGoesOn && !fill.limitReached() ? fill.goOnAt(shard.start()) : fill.end();
  }

  private static @Nullable Slice lowerBound(ScanRequest request, Shard shard) {
    ByteString lower =
        KeyOrder.compare(request.getStart(), shard.start()) < 0
            ? shard.start()
            : request.getStart();
    return lower.isEmpty() ? null : Bytes.slice(lower);
  }

  private static @Nullable Slice upperBound(ScanRequest request, Shard shard) {
    ByteString upper = KeyOrder.smallerEnd(request.getEnd(), shard.end());
    return upper == null ? null : Bytes.slice(upper);
  }

  /** A page being filled. */
  private final class Fill {
    private final ScanPage.Builder page = ScanPage.newBuilder();
    private final long limit;
    private final boolean keysOnly;
    private final long wantedBytes;
    private final long deadlineNanos = nanoTime.getAsLong() + maxNanos;
    private long bytes;

    Fill(ScanRequest request) {
      limit = request.getLimit();
      keysOnly = request.getKeysOnly();
      long wanted = Integer.toUnsignedLong(request.getPageBytes());
      wantedBytes = wanted == 0 ? pageBytes : Math.min(wanted, maxPageBytes);
    }

    void add(Cursor cursor) {
      // Cursors reuse their bytes; the page outlives the step.
      Entry.Builder entry =
          Entry.newBuilder().setKey(Bytes.copy(cursor.key())).setVersion(cursor.version());
      bytes += cursor.key().length();
      if (!keysOnly) {
        entry.setValue(Bytes.copy(cursor.value()));
        bytes += cursor.value().length();
      }
      page.addEntries(entry);
    }

    /** The limit is an unsigned number; 0 means none. */
    boolean limitReached() {
      return limit != 0 && Long.compareUnsigned(page.getEntriesCount(), limit) >= 0;
    }

    boolean isFull() {
      int entries = page.getEntriesCount();
      return entries > 0
          && (bytes >= wantedBytes
              || entries >= maxEntries
              || nanoTime.getAsLong() - deadlineNanos >= 0);
    }

    ByteString lastKey() {
      return page.getEntries(page.getEntriesCount() - 1).getKey();
    }

    ScanPage goOnAt(ByteString resumeKey) {
      return page.setMore(true).setResumeKey(resumeKey).build();
    }

    ScanPage end() {
      return page.build();
    }
  }
}
