package io.silkkv.node.rpc;

import io.grpc.stub.StreamObserver;
import io.silkkv.router.KvErrors;
import io.silkkv.v1.StreamCall;
import io.silkkv.v1.StreamReply;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A call with a gRPC call of its own.
 *
 * @param <R> its response
 */
final class UnaryCall<R> extends PendingCall {
  private static final Logger LOG = LoggerFactory.getLogger(UnaryCall.class);

  private final StreamObserver<R> out;
  private final Function<StreamReply.Builder, R> response;
  private final Executor loop;
  private final CallCounters counters;

  /**
   * @param loop sends the answers of writes, which come from the thread that applies the log
   */
  UnaryCall(
      StreamCall call,
      long deadlineNanos,
      StreamObserver<R> out,
      Function<StreamReply.Builder, R> response,
      Executor loop,
      CallCounters counters) {
    super(call, deadlineNanos);
    this.out = out;
    this.response = response;
    this.loop = loop;
    this.counters = counters;
  }

  @Override
  void deliver(StreamReply.Builder reply) {
    counters.count(reply);
    if (!isWrite()) {
      send(reply);
      return;
    }
    try {
      loop.execute(() -> send(reply));
    } catch (RejectedExecutionException e) {
      // The loops end after the server: the client has been told by the end of its connection.
      LOG.debug("a write was answered after the node's connections had ended", e);
    }
  }

  private void send(StreamReply.Builder reply) {
    if (reply.hasError()) {
      out.onError(KvErrors.toStatus(reply.getError()));
    } else {
      out.onNext(response.apply(reply));
      out.onCompleted();
    }
  }
}
