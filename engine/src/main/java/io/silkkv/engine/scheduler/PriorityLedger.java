package io.silkkv.engine.scheduler;

import io.silkkv.engine.io.IoClass;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Token buckets in a hierarchy: one for all internal work of a volume, and below it one for what is
 * reserved for each class. A request is granted from the common bucket when no class above it
 * waits, or from its class' own bucket whatever the others do. Both ways it is charged to the
 * common one, so all together never get more than the whole rate.
 *
 * <p>Within a class, the job of the engine that suffers most goes first, then the one with the
 * fewest bytes left (Luo and Carey, VLDB '19: greedy scheduling leaves the fewest components), then
 * whoever came first. Buckets fill evenly; an idle one gathers for some milliseconds only, so that
 * a burst of internal work is never long.
 *
 * <p>A class can be paused: nothing is granted to it from the common bucket. That is a state, so
 * pausing twice and resuming once resumes. A class can have a processor share: it waits while it
 * has used more.
 */
final class PriorityLedger implements TokenLedger {
  /** How long an idle bucket gathers: short beside a client's patience, long beside a timer. */
  private static final double BURST_NANOS = 5e6;

  /** Everything that waits for the same bucket. */
  private static final class Queue {
    final List<IoRequest> waiting = new ArrayList<>();
    final TokenBucket reserved;

    /** Processor time that may be used, in nanoseconds; null when it has no limit. */
    @Nullable TokenBucket cpu;

    boolean paused;

    Queue(long now) {
      reserved = new TokenBucket(BURST_NANOS, IoRequest.MAX_BYTES, now);
    }

    boolean hasCpu() {
      return cpu == null || cpu.level() >= 0;
    }

    /** May use the common bucket. */
    boolean runs() {
      return !paused && hasCpu();
    }
  }

  private final boolean prioritized;
  private final TokenBucket common;

  /** In the order of priority. Without priorities, all classes share one. */
  private final Map<IoClass, Queue> queues = new EnumMap<>(IoClass.class);

  /**
   * A ledger that grants nothing until it gets a rate.
   *
   * @param prioritized false: all classes share one queue, first come first served
   */
  PriorityLedger(boolean prioritized, long now) {
    this.prioritized = prioritized;
    this.common = new TokenBucket(BURST_NANOS, IoRequest.MAX_BYTES, now);
    Queue shared = new Queue(now);
    for (IoClass why : IoClass.values()) {
      if (why.isThrottled()) {
        queues.put(why, prioritized ? new Queue(now) : shared);
      }
    }
  }

  private Queue queue(IoClass why) {
    Queue queue = queues.get(why);
    if (queue == null) {
      throw new IllegalArgumentException(why + " is never throttled");
    }
    return queue;
  }

  /** The rate of all internal work together. */
  void setRate(long bytesPerSecond, long now) {
    common.setRate((double) bytesPerSecond, now);
  }

  /** What a class gets whatever the others do. The sum must not exceed the rate. */
  void reserve(IoClass why, long bytesPerSecond, long now) {
    queue(why).reserved.setRate((double) bytesPerSecond, now);
  }

  void setPaused(IoClass why, boolean paused) {
    queue(why).paused = paused;
  }

  /**
   * Limits the processor time of a class.
   *
   * @param cores how many processors it may keep busy
   */
  void limitCpu(IoClass why, double cores, long now) {
    Queue queue = queue(why);
    TokenBucket cpu = queue.cpu;
    if (cpu == null) {
      cpu = new TokenBucket(BURST_NANOS, BURST_NANOS, now);
      queue.cpu = cpu;
    }
    cpu.setRate(cores * 1e9, now);
  }

  @Override
  public boolean limitsReads() {
    return true;
  }

  @Override
  public void add(IoRequest request, long now) {
    Queue queue = queue(request.why());
    queue.waiting.add(request);
    if (queue.cpu != null) {
      queue.cpu.take((double) request.cpuNanos());
    }
  }

  @Override
  public void remove(IoRequest request) {
    queue(request.why()).waiting.remove(request);
  }

  @Override
  public void advance(long now) {
    refill(now);
    while (grantOne(now)) {
      // One at a time: each grant changes what the next may have.
    }
  }

  private void refill(long now) {
    common.advance(now);
    for (Queue queue : queues.values()) {
      queue.reserved.advance(now);
      if (queue.cpu != null) {
        queue.cpu.advance(now);
      }
    }
  }

  private boolean grantOne(long now) {
    boolean commonIsFree = true;
    for (Queue queue : queues.values()) {
      if (queue.waiting.isEmpty()) {
        continue;
      }
      IoRequest first = first(queue, now);
      int bytes = first.ungranted();
      if (commonIsFree && queue.runs() && common.level() >= bytes) {
        queue.reserved.takeUpTo(bytes);
        return grant(queue, first);
      }
      if (queue.reserved.level() >= bytes) {
        queue.reserved.take(bytes);
        return grant(queue, first);
      }
      commonIsFree &= !queue.runs();
    }
    return false;
  }

  private boolean grant(Queue queue, IoRequest request) {
    int bytes = request.ungranted();
    common.takeOnCredit(bytes);
    queue.waiting.remove(request);
    request.grant(bytes);
    return true;
  }

  /** The request of a queue that is not empty which goes next. */
  private IoRequest first(Queue queue, long now) {
    IoRequest first = queue.waiting.get(0);
    for (int i = 1; prioritized && i < queue.waiting.size(); i++) {
      IoRequest other = queue.waiting.get(i);
      if (goesBefore(other, first, now)) {
        first = other;
      }
    }
    return first;
  }

  private static boolean goesBefore(IoRequest one, IoRequest other, long now) {
    long more = one.urgency(now) - other.urgency(now);
    return more > 0 || (more == 0 && one.remainingBytes() < other.remainingBytes());
  }

  @Override
  public long nanosUntilDue(IoRequest request, long now) {
    refill(now);
    Queue own = queue(request.why());
    long fromReserve = own.reserved.nanosUntil(request.ungranted());
    if (own.paused) {
      return fromReserve;
    }
    long fromCommon = common.nanosUntil(request.ungranted() + bytesAhead(own, request, now));
    if (own.cpu != null) {
      fromCommon = Math.max(fromCommon, own.cpu.nanosUntil(0));
    }
    return Math.min(fromReserve, fromCommon);
  }

  /** What the common bucket has to give before it is the turn of a request. */
  private double bytesAhead(Queue own, IoRequest request, long now) {
    double bytes = 0;
    for (Queue queue : queues.values()) {
      if (queue == own) {
        IoRequest first = first(queue, now);
        return first == request ? bytes : bytes + first.ungranted();
      }
      if (queue.runs()) {
        for (IoRequest ahead : queue.waiting) {
          bytes += ahead.ungranted();
        }
      }
    }
    return bytes;
  }

  @Override
  public void recheckAll() {
    for (Queue queue : queues.values()) {
      queue.waiting.forEach(IoRequest::recheck);
    }
  }

  @Override
  public int waiting(IoClass why) {
    return (int) queue(why).waiting.stream().filter(request -> request.why() == why).count();
  }

  @Override
  public long ratePerSecond() {
    return Math.round(common.ratePerSecond());
  }
}
