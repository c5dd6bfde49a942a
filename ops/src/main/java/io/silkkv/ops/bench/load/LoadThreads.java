package io.silkkv.ops.bench.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntConsumer;

/** The threads that send. */
final class LoadThreads {
  private LoadThreads() {}

  /**
   * Starts threads; an error that one of them ends with ends the run.
   *
   * @param body is given the index of its thread
   * @param done is counted down by each thread at its end
   */
  static List<Thread> start(int count, IntConsumer body, LoadRun run, CountDownLatch done) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int index = i;
      Thread thread =
          new Thread(
              () -> {
                try {
                  body.accept(index);
                } catch (Throwable e) {
                  run.fatal(e);
                } finally {
                  done.countDown();
                }
              },
              "load-" + i);
      thread.setDaemon(true);
      threads.add(thread);
    }
    threads.forEach(Thread::start);
    return threads;
  }
}
