package io.silkkv.node.rpc;

import io.silkkv.engine.api.CorruptionException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The few threads that may wait for a file, with a bounded queue before them: reads that memory
 * cannot answer, and scan pages. Thread-safe.
 */
final class ReadThreads implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReadThreads.class);

  private final InFlight inFlight;
  private final NodeHealth health;
  private final LongSupplier nanoTime;
  private final int queueLimit;
  private final ThreadPoolExecutor threads;

  ReadThreads(
      RequestPathOptions options, InFlight inFlight, NodeHealth health, LongSupplier nanoTime) {
    this.inFlight = inFlight;
    this.health = health;
    this.nanoTime = nanoTime;
    this.queueLimit = options.readQueue();
    AtomicInteger number = new AtomicInteger();
    this.threads =
        new ThreadPoolExecutor(
            options.readThreads(),
            options.readThreads(),
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(options.readQueue()),
            task -> {
              Thread thread = new Thread(task, "silkkv-read-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Runs a read on a thread of its own. A call that cannot be taken is answered OVERLOADED; one
   * whose deadline has passed when its turn comes is not read at all.
   */
  void submit(PendingCall call, long shardId, Runnable read) {
    if (!inFlight.admit(call)) {
      return;
    }
    try {
      threads.execute(() -> run(call, shardId, read));
    } catch (RejectedExecutionException e) {
      call.fail(
          threads.isShutdown()
              ? Failures.ofClosed(shardId)
              : Failures.overloaded(
                  queueLimit + " reads of this node wait for the disk, its limit; retry later"));
    }
  }

  /** Runs a read on the calling thread and turns its failures into answers. */
  void run(PendingCall call, long shardId, Runnable read) {
    if (call.isAnswered()) {
      return;
    }
    if (call.deadlineNanos() - nanoTime.getAsLong() <= 0) {
      call.fail(Failures.deadlineAlreadyPassed());
      return;
    }
    try {
      read.run();
    } catch (CorruptionException e) {
      LOG.error("Shard {}: a read met damaged data", shardId, e);
      health.corrupt(shardId, e);
      call.fail(Failures.ofRead(e, shardId));
    } catch (RuntimeException e) {
      LOG.warn("Shard {}: a read failed", shardId, e);
      call.fail(Failures.ofRead(e, shardId));
    }
  }

  int queued() {
    return threads.getQueue().size();
  }

  /** Drops what waits, interrupts what runs, and gives it a second to end. */
  @Override
  public void close() {
    threads.shutdownNow();
    try {
      if (!threads.awaitTermination(1, TimeUnit.SECONDS)) {
        LOG.warn("A read of a file goes on while the node stops");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
