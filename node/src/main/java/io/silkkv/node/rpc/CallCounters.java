package io.silkkv.node.rpc;

import io.silkkv.v1.Reason;
import io.silkkv.v1.StreamReply;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What became of the calls that clients and other nodes made here. Thread-safe. */
public final class CallCounters {
  private final LongAdder served = new LongAdder();
  private final Map<Reason, LongAdder> failed = new EnumMap<>(Reason.class);

  CallCounters() {
    for (Reason reason : Reason.values()) {
      failed.put(reason, new LongAdder());
    }
  }

  /** Calls that were answered, here or by the node that they were forwarded to. */
  public long served() {
    return served.sum();
  }

  /** Calls that failed for a reason. */
  public long failed(Reason reason) {
    LongAdder count = failed.get(reason);
    return count == null ? 0 : count.sum();
  }

  void count(StreamReply.Builder reply) {
    if (!reply.hasError()) {
      served.increment();
      return;
    }
    LongAdder count = failed.get(reply.getError().getReason());
    if (count != null) {
      count.increment();
    }
  }
}
