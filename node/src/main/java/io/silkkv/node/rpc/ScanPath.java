package io.silkkv.node.rpc;

import com.google.protobuf.ByteString;
import io.silkkv.engine.api.ReadView;
import io.silkkv.node.shard.Replica;
import io.silkkv.router.KeyOrder;
import io.silkkv.router.Limits;
import io.silkkv.router.Shard;
import io.silkkv.router.ShardMap;
import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.ScanPage;
import io.silkkv.v1.ScanRequest;
import io.silkkv.v1.StreamReply;

/**
 * Answers one page of a scan. A page never crosses a shard's edge; it is read on the read threads,
 * from a view that lives no longer than the page. Thread-safe.
 */
final class ScanPath {
  private final Limits limits;
  private final ShardLocator locator;
  private final LeaderReads reads;
  private final ReadThreads threads;
  private final ScanPages pages;

  ScanPath(
      Limits limits,
      ShardLocator locator,
      LeaderReads reads,
      ReadThreads threads,
      ScanPages pages) {
    this.limits = limits;
    this.locator = locator;
    this.reads = reads;
    this.threads = threads;
    this.pages = pages;
  }

  void page(PendingCall call) {
    ScanRequest request = call.call().getScan();
    ErrorDetail fault = limits.check(request);
    if (fault != null) {
      call.fail(fault);
      return;
    }
    if (!KeyOrder.isBefore(request.getStart(), request.getEnd())) {
      call.answer(StreamReply.newBuilder().setScan(ScanPage.getDefaultInstance()));
      return;
    }
    ShardMap map = locator.map();
    boolean reverse = request.getReverse();
    Shard shard = reverse ? map.findBefore(request.getEnd()) : map.find(request.getStart());
    // Any key of the range in that shard stands for the page when the caller's routing is checked.
    ByteString inShard =
        reverse && KeyOrder.compare(request.getStart(), shard.start()) < 0
            ? shard.start()
            : request.getStart();
    if (locator.fits(call, map, shard, inShard)) {
      reads.whenReadable(
          call,
          shard,
          replica -> threads.submit(call, shard.shardId(), () -> read(call, replica, shard)));
    }
  }

  private void read(PendingCall call, Replica replica, Shard shard) {
    ScanPage page;
    try (ReadView view = replica.engine().view()) {
      page = pages.read(view, call.call().getScan(), shard);
    }
    call.answer(StreamReply.newBuilder().setScan(page));
  }
}
