package io.silkkv.node.rpc;

import io.silkkv.node.shard.ShardMapHolder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The door of the request path: every call of every kind enters here. Thread-safe. */
final class RequestPath {
  private static final Logger LOG = LoggerFactory.getLogger(RequestPath.class);

  private final String nodeId;
  private final ShardMapHolder maps;
  private final LongSupplier nanoTime;
  private final GetPath gets;
  private final WritePath writes;
  private final ScanPath scans;
  private volatile boolean shuttingDown;

  RequestPath(
      String nodeId,
      ShardMapHolder maps,
      LongSupplier nanoTime,
      GetPath gets,
      WritePath writes,
      ScanPath scans) {
    this.nodeId = nodeId;
    this.maps = maps;
    this.nanoTime = nanoTime;
    this.gets = gets;
    this.writes = writes;
    this.scans = scans;
  }

  /** Answers the call now or later, exactly once. Does not block. */
  void handle(PendingCall call) {
    if (shuttingDown) {
      call.fail(Failures.shuttingDown(nodeId));
    } else if (!maps.confirmed()) {
      call.fail(Failures.mapNotLoaded(nodeId));
    } else if (call.deadlineNanos() - nanoTime.getAsLong() <= 0) {
      call.fail(Failures.deadlineAlreadyPassed());
    } else {
      dispatch(call);
    }
  }

  /** Like {@link #handle}, for this node's own read of the map that handle would wait for. */
  void handleOwn(PendingCall call) {
    dispatch(call);
  }

  /** From now on every new call is refused. */
  void beginShutdown() {
    shuttingDown = true;
  }

  /** A fault of one call must not end the stream, and with it the calls of others. */
  private void dispatch(PendingCall call) {
    try {
      serve(call);
    } catch (RuntimeException e) {
      LOG.error("A call could not be handled: {}", call.call().getCallCase(), e);
      call.fail(Failures.internal(call, "a call"));
    }
  }

  private void serve(PendingCall call) {
    switch (call.call().getCallCase()) {
      case GET -> gets.get(call);
      case BATCH_GET -> gets.batchGet(call);
      case WRITE -> writes.write(call);
      case SCAN -> scans.page(call);
      case CALL_NOT_SET ->
          call.fail(
              Failures.badField(
                  "call", "the call has no content: set get, batch_get, write or scan"));
    }
  }
}
