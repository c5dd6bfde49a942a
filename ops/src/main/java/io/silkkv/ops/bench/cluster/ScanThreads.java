package io.silkkv.ops.bench.cluster;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes futures of scans that block, for clients whose scans do. At most as many run at once as
 * there are calls in flight, so that none waits here. Thread-safe.
 */
final class ScanThreads implements AutoCloseable {
  private static final int MOST_THREADS = 256;
  private static final int MOST_WAITING = 4096;
  private static final long IDLE_SECONDS = 30;

  private final ThreadPoolExecutor threads;

  ScanThreads(int inFlight) {
    AtomicInteger numbers = new AtomicInteger();
    int most = Math.min(inFlight, MOST_THREADS);
    threads =
        new ThreadPoolExecutor(
            most,
            most,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MOST_WAITING),
            task -> {
              Thread thread = new Thread(task, "scan-" + numbers.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
  }

  CompletableFuture<Integer> submit(Callable<Integer> scan) {
    CompletableFuture<Integer> answer = new CompletableFuture<>();
    try {
      threads.execute(
          () -> {
            try {
              answer.complete(scan.call());
            } catch (Exception e) {
              answer.completeExceptionally(e);
            }
          });
    } catch (RejectedExecutionException e) {
      answer.completeExceptionally(e);
    }
    return answer;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
