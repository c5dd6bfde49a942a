package io.silkkv.node.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.router.KvErrors;
import io.silkkv.router.Routing;
import io.silkkv.v1.Applied;
import io.silkkv.v1.BatchGetRequest;
import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.GetResponse;
import io.silkkv.v1.Reason;
import io.silkkv.v1.RequestHeader;
import io.silkkv.v1.StreamCall;
import io.silkkv.v1.StreamReply;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A batch get whose keys lie in several shards: one call per shard, whose values are put together
 * in the order of the request. The first part that fails fails the whole. Thread-safe.
 */
final class BatchGather {
  private final PendingCall whole;

  @GuardedBy("this")
  private final @Nullable GetResponse[] values;

  @GuardedBy("this")
  private int missing;

  BatchGather(PendingCall whole, int keys, int parts) {
    this.whole = whole;
    this.values = new GetResponse[keys];
    this.missing = parts;
  }

  /** The call for the keys of one shard. */
  PendingCall part(Routing.KeyGroup group) {
    BatchGetRequest request = whole.call().getBatchGet();
    // The shard that the caller named, if any, was checked; each part finds its own.
    BatchGetRequest.Builder keys =
        BatchGetRequest.newBuilder()
            .setHeader(RequestHeader.newBuilder().setHops(whole.header().getHops()));
    for (int position : group.positions()) {
      keys.addKeys(request.getKeys(position));
    }
    StreamCall call = StreamCall.newBuilder().setBatchGet(keys).build();
    return new PendingCall(call, whole.deadlineNanos()) {
      @Override
      void deliver(StreamReply.Builder reply) {
        take(group.positions(), reply);
      }
    };
  }

  private void take(List<Integer> positions, StreamReply.Builder reply) {
    ErrorDetail fault = reply.hasError() ? reply.getError() : checkCount(positions.size(), reply);
    if (fault != null) {
      whole.fail(fault);
      return;
    }
    @Nullable GetResponse[] all;
    synchronized (this) {
      for (int i = 0; i < positions.size(); i++) {
        values[positions.get(i)] = reply.getBatchGet().getValues(i);
      }
      missing--;
      if (missing > 0) {
        return;
      }
      all = values.clone();
    }
    GetPath.answer(whole, all);
  }

  private static @Nullable ErrorDetail checkCount(int expected, StreamReply.Builder reply) {
    int count = reply.getBatchGet().getValuesCount();
    return count == expected
        ? null
        : KvErrors.detail(
            Reason.INTERNAL,
            Applied.NEVER,
            "a node answered " + count + " values for " + expected + " keys");
  }
}
