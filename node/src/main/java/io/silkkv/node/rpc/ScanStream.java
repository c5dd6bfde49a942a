package io.silkkv.node.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.grpc.stub.ServerCallStreamObserver;
import io.silkkv.router.KvErrors;
import io.silkkv.v1.ScanPage;
import io.silkkv.v1.ScanRequest;
import io.silkkv.v1.StreamCall;
import io.silkkv.v1.StreamReply;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A scan with a gRPC stream of its own: page after page, from shard to shard, wherever they are
 * led. The next page is read when the client has taken the last one, so a slow client costs one
 * page of memory. Thread-safe.
 */
final class ScanStream {
  private final RequestPath path;
  private final LongSupplier pageDeadline;
  private final ServerCallStreamObserver<ScanPage> out;
  private final CallCounters counters;

  /** What to read next; null while a page is being read, and at the end. */
  @GuardedBy("this")
  private @Nullable ScanRequest next;

  /**
   * @param pageDeadline asked for each page: when it must be there
   */
  ScanStream(
      RequestPath path,
      LongSupplier pageDeadline,
      ScanRequest request,
      ServerCallStreamObserver<ScanPage> out,
      CallCounters counters) {
    this.path = path;
    this.pageDeadline = pageDeadline;
    this.counters = counters;
    this.out = out;
    this.next = request;
  }

  /** Begins; to be called while the call is being set up. */
  void start() {
    out.setOnReadyHandler(this::readOn);
    out.setOnCancelHandler(this::cancel);
    readOn();
  }

  private void readOn() {
    ScanRequest request;
    synchronized (this) {
      if (next == null || !out.isReady()) {
        return;
      }
      request = next;
      next = null;
    }
    path.handle(new Page(request));
  }

  private synchronized void cancel() {
    next = null;
  }

  private void take(ScanRequest request, StreamReply.Builder reply) {
    if (reply.hasError()) {
      out.onError(KvErrors.toStatus(reply.getError()));
      return;
    }
    ScanPage page = reply.getScan();
    out.onNext(page);
    if (!page.getMore()) {
      out.onCompleted();
      return;
    }
    ScanRequest rest = rest(request, page);
    synchronized (this) {
      if (!out.isCancelled()) {
        next = rest;
      }
    }
    readOn();
  }

  /** The request for what follows a page. The shard that the caller named was the first one. */
  private static ScanRequest rest(ScanRequest request, ScanPage page) {
    ScanRequest.Builder rest = request.toBuilder();
    rest.getHeaderBuilder().clearShardId().clearEpoch();
    if (request.getReverse()) {
      rest.setEnd(page.getResumeKey());
    } else {
      rest.setStart(page.getResumeKey());
    }
    if (request.getLimit() != 0) {
      rest.setLimit(request.getLimit() - page.getEntriesCount());
    }
    return rest.build();
  }

  /** The read of one page. */
  private final class Page extends PendingCall {
    private final ScanRequest request;

    Page(ScanRequest request) {
      super(StreamCall.newBuilder().setScan(request).build(), pageDeadline.getAsLong());
      this.request = request;
    }

    @Override
    void deliver(StreamReply.Builder reply) {
      counters.count(reply);
      take(request, reply);
    }
  }
}
