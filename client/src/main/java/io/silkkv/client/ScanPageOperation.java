package io.silkkv.client;

import com.google.protobuf.ByteString;
import io.silkkv.router.KeyOrder;
import io.silkkv.router.Shard;
import io.silkkv.router.ShardMap;
import io.silkkv.v1.Entry;
import io.silkkv.v1.RequestHeader;
import io.silkkv.v1.ScanPage;
import io.silkkv.v1.ScanRequest;
import io.silkkv.v1.StreamCall;
import io.silkkv.v1.StreamReply;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a scan: entries of one shard at one moment. Each attempt asks for the part of the
 * range that lies in the shard where the scan stands by the map of that moment, so a scan goes on
 * over splits and changes of leaders.
 */
final class ScanPageOperation extends Operation<ScanPageOperation.Page> {
  private final ScanOptions options;
  private final ByteString start;
  private final @Nullable ByteString end;
  private final long limit;
  private ByteString askedStart;
  private @Nullable ByteString askedEnd;

  /**
   * What a page brings.
   *
   * @param entries in the order of the scan
   * @param next where the scan goes on; null when it is at its end
   */
  record Page(List<KvEntry> entries, @Nullable Range next) {}

  /** What is left to scan; a null end is no bound. */
  record Range(ByteString start, @Nullable ByteString end) {}

  /**
   * @param range not empty
   * @param limit most entries; 0 is no limit
   */
  ScanPageOperation(ScanOptions options, Range range, long limit, long deadlineNanos) {
    super(deadlineNanos, options.pageBytes());
    this.options = options;
    this.start = range.start();
    this.end = range.end();
    this.limit = limit;
    this.askedStart = start;
    this.askedEnd = end;
  }

  @Override
  Shard target(ShardMap map) {
    Shard shard = options.isReverse() ? map.findBefore(end) : map.find(start);
    askedStart = KeyOrder.compare(shard.start(), start) > 0 ? shard.start() : start;
    askedEnd = KeyOrder.smallerEnd(shard.end(), end);
    return shard;
  }

  @Override
  void fill(StreamCall.Builder call, RequestHeader header) {
    ScanRequest.Builder request =
        ScanRequest.newBuilder()
            .setHeader(header)
            .setStart(askedStart)
            .setReverse(options.isReverse())
            .setLimit(limit)
            .setKeysOnly(options.isKeysOnly())
            .setPageBytes(options.pageBytes());
    if (askedEnd != null) {
      request.setEnd(askedEnd);
    }
    call.setScan(request);
  }

  /** A page must move on: asking for the same one again and again would never end. */
  @Override
  boolean accepts(StreamReply reply) {
    return reply.hasScan()
        && (!reply.getScan().getMore() || movesOn(reply.getScan().getResumeKey()));
  }

  @Override
  Page decode(StreamReply reply) {
    ScanPage page = reply.getScan();
    List<KvEntry> entries = new ArrayList<>(page.getEntriesCount());
    for (Entry entry : page.getEntriesList()) {
      entries.add(
          new KvEntry(
              entry.getKey().toByteArray(), entry.getValue().toByteArray(), entry.getVersion()));
    }
    return new Page(entries, page.getMore() ? after(page.getResumeKey()) : afterShard());
  }

  @Override
  String what() {
    return "scan";
  }

  private boolean movesOn(ByteString resumeKey) {
    return options.isReverse()
        ? !resumeKey.isEmpty()
            && KeyOrder.isBefore(resumeKey, askedEnd)
            && KeyOrder.compare(resumeKey, askedStart) >= 0
        : KeyOrder.compare(resumeKey, askedStart) > 0;
  }

  private @Nullable Range after(ByteString resumeKey) {
    return options.isReverse() ? nonEmpty(start, resumeKey) : nonEmpty(resumeKey, end);
  }

  private @Nullable Range afterShard() {
    if (options.isReverse()) {
      return askedStart.isEmpty() ? null : nonEmpty(start, askedStart);
    }
    return askedEnd == null ? null : nonEmpty(askedEnd, end);
  }

  /** The range, or null when no key can be in it. */
  static @Nullable Range nonEmpty(ByteString start, @Nullable ByteString end) {
    return KeyOrder.isBefore(start, end) ? new Range(start, end) : null;
  }
}
