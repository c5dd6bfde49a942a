package io.silkkv.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What the synchronous and the asynchronous view share: admission, the I/O thread and what runs on
 * it. Thread-safe.
 */
final class ClientCore {
  /** How long a blocked caller trusts the I/O thread to end its call after the deadline. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final ClientOptions options;
  private final SystemSources sources;
  private final InFlightLimit limit;
  private final ClientLoop loop = new ClientLoop();
  private final Dispatcher dispatcher;
  private final AtomicBoolean closed = new AtomicBoolean();

  private ClientCore(ClientOptions options, SystemSources sources) {
    this.options = options;
    this.sources = sources;
    this.limit = new InFlightLimit(options.maxInFlightCalls(), options.maxInFlightBytes());
    this.dispatcher = new Dispatcher(loop, sources, options, limit);
  }

  static ClientCore start(ClientOptions options, SystemSources sources) {
    return new ClientCore(options, sources);
  }

  ClientOptions options() {
    return options;
  }

  InFlightLimit limit() {
    return limit;
  }

  /** The moment after which a call that starts now has failed. */
  long deadlineAfter(long nanos) {
    return sources.nanoTime().getAsLong() + nanos;
  }

  /** Starts a call, or fails it at once when too much is in flight. Never blocks. */
  <T> CompletableFuture<T> submit(Operation<T> operation) {
    if (!limit.tryAcquire(operation.weight())) {
      operation
          .future()
          .completeExceptionally(
              new KvException.Overloaded(
                  limit + ": wait for earlier calls, or raise the client's limits", false));
    } else {
      start(operation);
    }
    return operation.future();
  }

  /** Starts a call when there is room and waits for its outcome. */
  <T> T call(Operation<T> operation) {
    checkMayBlock();
    try {
      if (!limit.acquire(operation.weight(), () -> remainingNanos(operation))) {
        throw new KvException.DeadlineExceeded(
            "the "
                + operation.what()
                + " found no room before its deadline: "
                + limit
                + "; start fewer calls at a time, or raise the client's limits",
            false,
            null);
      }
      start(operation);
      return outcome(operation);
    } catch (InterruptedException interrupt) {
      operation.future().cancel(false);
      Thread.currentThread().interrupt();
      throw new KvException.Interrupted(operation.isWrite(), interrupt);
    }
  }

  /** Waits for the outcome of a call that was started. */
  <T> T outcome(Operation<T> operation) throws InterruptedException {
    checkMayBlock();
    try {
      return operation.future().get(remainingNanos(operation) + GRACE_NANOS, TimeUnit.NANOSECONDS);
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof KvException known) {
        // The future is ours alone: let the trace show who waited, not the I/O thread.
        known.fillInStackTrace();
        throw known;
      }
      throw new IllegalStateException("a fault of the client: please report it", failure);
    } catch (TimeoutException stuck) {
      throw new KvException.DeadlineExceeded(
          "the client's I/O thread is blocked, perhaps by a callback: use callbackExecutor",
          operation.isWrite(),
          null);
    }
  }

  /** Fails what is in flight, closes the connections and ends the thread. Idempotent. */
  void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    CountDownLatch done = new CountDownLatch(1);
    loop.execute(
        () -> {
          dispatcher.close();
          done.countDown();
        });
    try {
      // A callback that blocks the thread delays this; the thread ends when it returns.
      var unused = loop.inLoop() || done.await(2, TimeUnit.SECONDS);
      loop.shutdown();
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
  }

  private void start(Operation<?> operation) {
    try {
      if (!closed.get()) {
        loop.execute(() -> dispatcher.start(operation));
        return;
      }
    } catch (RejectedExecutionException ended) {
      // Closed in the meantime; the caller learns it below.
    }
    limit.release(operation.weight());
    operation.future().completeExceptionally(new KvException.Closed(false));
  }

  private void checkMayBlock() {
    if (loop.inLoop()) {
      throw new IllegalStateException(
          "a blocking call on the client's own I/O thread would wait for itself: use async() in"
              + " callbacks, or build the client with a callbackExecutor");
    }
  }

  private long remainingNanos(Operation<?> operation) {
    return Math.max(0, operation.deadlineNanos() - sources.nanoTime().getAsLong());
  }
}
