package io.silkkv.client;

import io.silkkv.router.Routing;
import io.silkkv.router.Shard;
import io.silkkv.router.ShardMap;
import io.silkkv.v1.RequestHeader;
import io.silkkv.v1.StreamCall;
import io.silkkv.v1.StreamReply;
import io.silkkv.v1.WriteRequest;
import io.silkkv.v1.WriteResponse;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An atomic batch; all its attempts carry the same session number. */
final class WriteOperation<T> extends Operation<T> {
  private final @Nullable RangeDeletion range;
  private final Function<WriteResult, T> outcome;
  private WriteRequest request;
  private boolean inOneShard = true;
  private boolean renewed;
  private WriteSessions.@Nullable Ticket ticket;

  /**
   * @param request without header and session, checked
   * @param outcome what the caller wants to know of the result
   */
  WriteOperation(WriteRequest request, Function<WriteResult, T> outcome, long deadlineNanos) {
    this(request, null, outcome, deadlineNanos);
  }

  /**
   * @param range decides, for each attempt, which part of the request's range it deletes; null when
   *     the request stays as it is
   */
  WriteOperation(
      WriteRequest request,
      @Nullable RangeDeletion range,
      Function<WriteResult, T> outcome,
      long deadlineNanos) {
    super(deadlineNanos, request.getSerializedSize());
    this.request = request;
    this.range = range;
    this.outcome = outcome;
  }

  @Override
  Shard target(ShardMap map) {
    if (range != null) {
      request = range.in(map.find(Routing.key(request.getMutations(0))));
    }
    if (Routing.route(map, request) instanceof Routing.WriteRoute.InShard route) {
      inOneShard = true;
      return route.shard();
    }
    // The node refuses it by the current map, not by one that may be old.
    inOneShard = false;
    return map.find(Routing.key(request.getMutations(0)));
  }

  @Override
  boolean namesShard() {
    return inOneShard;
  }

  @Override
  void fill(StreamCall.Builder call, RequestHeader header) {
    WriteRequest.Builder attempt = request.toBuilder().setHeader(header);
    if (ticket != null) {
      attempt.setSession(ticket.toProto());
    }
    call.setWrite(attempt);
  }

  @Override
  boolean accepts(StreamReply reply) {
    return reply.hasWrite();
  }

  @Override
  T decode(StreamReply reply) {
    WriteResponse response = reply.getWrite();
    return outcome.apply(
        response.getApplied()
            ? WriteResult.applied(response.getVersion())
            : WriteResult.conditionFailed(
                response.getFailedCondition(), response.getFoundVersion()));
  }

  @Override
  boolean isWrite() {
    return true;
  }

  @Override
  String what() {
    return "write of " + request.getMutationsCount() + " changes";
  }

  WriteSessions.@Nullable Ticket ticket() {
    return ticket;
  }

  void setTicket(WriteSessions.Ticket given) {
    ticket = given;
  }

  /** Starts over under another session; only once, so that it ends. */
  boolean renewTicket() {
    if (renewed) {
      return false;
    }
    renewed = true;
    ticket = null;
    return true;
  }
}
