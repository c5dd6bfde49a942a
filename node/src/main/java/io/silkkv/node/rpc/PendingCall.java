package io.silkkv.node.rpc;

import io.silkkv.v1.Applied;
import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.RequestHeader;
import io.silkkv.v1.StreamCall;
import io.silkkv.v1.StreamReply;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * One call between its arrival and its answer. Unary calls, calls inside a stream, the parts of a
 * batch get and the pages of a scan all have this shape, so that there is one path for them. The
 * first answer wins; later ones (a result after the deadline passed) are dropped. Thread-safe.
 */
abstract class PendingCall {
  private static final AtomicIntegerFieldUpdater<PendingCall> ANSWERED =
      AtomicIntegerFieldUpdater.newUpdater(PendingCall.class, "answered");

  private final StreamCall call;
  private final long deadlineNanos;

  /** 0 until answered. Written only through {@link #ANSWERED}. */
  @SuppressWarnings("UnusedVariable")
  private volatile int answered;

  /** Who counts this call while it waits; set before the call is shared with other threads. */
  private volatile @Nullable InFlight waitingIn;

  /** Undone when the call is answered, by whoever answers it. */
  private volatile @Nullable Runnable onAnswered;

  /**
   * @param deadlineNanos when the caller stops waiting, on the node's nanosecond clock
   */
  PendingCall(StreamCall call, long deadlineNanos) {
    this.call = call;
    this.deadlineNanos = deadlineNanos;
  }

  /** Hands the answer to the caller. Called once, from any thread; must be fast and not throw. */
  abstract void deliver(StreamReply.Builder reply);

  final StreamCall call() {
    return call;
  }

  final long deadlineNanos() {
    return deadlineNanos;
  }

  final RequestHeader header() {
    return switch (call.getCallCase()) {
      case GET -> call.getGet().getHeader();
      case BATCH_GET -> call.getBatchGet().getHeader();
      case WRITE -> call.getWrite().getHeader();
      case SCAN -> call.getScan().getHeader();
      case CALL_NOT_SET -> RequestHeader.getDefaultInstance();
    };
  }

  final boolean isWrite() {
    return call.hasWrite();
  }

  /** What to say about a failure whose outcome is not known: only a write can have changed data. */
  final Applied unknownOutcome() {
    return isWrite() ? Applied.MAYBE : Applied.NEVER;
  }

  final boolean isAnswered() {
    return answered != 0;
  }

  /** Answers the call if nobody has yet. */
  final void answer(StreamReply.Builder reply) {
    if (!ANSWERED.compareAndSet(this, 0, 1)) {
      return;
    }
    InFlight counter = waitingIn;
    if (counter != null) {
      counter.release(this);
    }
    Runnable cleanup = onAnswered;
    if (cleanup != null) {
      cleanup.run();
    }
    deliver(reply);
  }

  final void fail(ErrorDetail error) {
    answer(StreamReply.newBuilder().setError(error));
  }

  /** Whether the call was admitted to wait. */
  final boolean waits() {
    return waitingIn != null;
  }

  final void waitIn(InFlight counter) {
    waitingIn = counter;
  }

  /** Runs {@code cleanup} when the call is answered, or now if it already is. May run twice. */
  final void onAnswered(Runnable cleanup) {
    onAnswered = cleanup;
    if (isAnswered()) {
      cleanup.run();
    }
  }
}
