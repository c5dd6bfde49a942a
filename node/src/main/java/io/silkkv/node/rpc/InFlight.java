package io.silkkv.node.rpc;

import io.silkkv.v1.ErrorDetail;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The calls of this node that wait for something: a log entry, a file, another node. Bounds their
 * number and bytes, and ends those whose deadline passes. Calls that are answered at once never get
 * here. Thread-safe.
 */
final class InFlight {
  private static final Logger LOG = LoggerFactory.getLogger(InFlight.class);

  private final int maxCalls;
  private final long maxBytes;
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();
  private final Set<PendingCall> waiting = ConcurrentHashMap.newKeySet();

  /**
   * @param maxBytes limit of the requests' serialized bytes
   */
  InFlight(int maxCalls, long maxBytes) {
    this.maxCalls = maxCalls;
    this.maxBytes = maxBytes;
  }

  /**
   * Lets a call wait; it leaves when it is answered. To be called before another thread can answer
   * it. A call that waits already stays.
   *
   * @return false, with the call answered OVERLOADED, when too much waits
   */
  boolean admit(PendingCall call) {
    if (call.waits()) {
      return true;
    }
    int size = call.call().getSerializedSize();
    int calls = count.incrementAndGet();
    long total = bytes.addAndGet(size);
    if (calls > maxCalls || total > maxBytes) {
      forget(size);
      call.fail(
          Failures.overloaded(
              "this node has "
                  + (calls > maxCalls ? maxCalls + " calls" : maxBytes + " request bytes")
                  + " in flight, its limit; send less at a time"));
      return false;
    }
    call.waitIn(this);
    waiting.add(call);
    return true;
  }

  /** Called by the call when it is answered. */
  void release(PendingCall call) {
    if (waiting.remove(call)) {
      forget(call.call().getSerializedSize());
    }
  }

  /** Ends the calls whose deadline has passed. */
  void expire(long nowNanos) {
    for (PendingCall call : waiting) {
      if (call.deadlineNanos() - nowNanos <= 0) {
        fail(call, Failures.deadlineExceeded(call));
      }
    }
  }

  /** Ends all calls; for the node's stop. */
  void failAll(Function<PendingCall, ErrorDetail> error) {
    for (PendingCall call : waiting) {
      fail(call, error.apply(call));
    }
  }

  /** One client that cannot be told must not keep the others from being told. */
  private static void fail(PendingCall call, ErrorDetail error) {
    try {
      call.fail(error);
    } catch (RuntimeException e) {
      LOG.warn("A caller could not be told {}", error.getReason(), e);
    }
  }

  int count() {
    return count.get();
  }

  private void forget(int size) {
    count.decrementAndGet();
    bytes.addAndGet(-size);
  }
}
