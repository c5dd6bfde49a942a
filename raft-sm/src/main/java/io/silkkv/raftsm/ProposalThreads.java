package io.silkkv.raftsm;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Who works for the batchers of a node.
 *
 * @param executor closes entries; may be shared by shards, but a task may wait a moment for the log
 *     of its shard
 * @param timer ends waits for callers
 */
record ProposalThreads(Executor executor, Timer timer) {
  /** Runs a short task later. */
  interface Timer {
    /**
     * @throws RejectedExecutionException when it is shut down
     */
    void after(int micros, Runnable task);
  }

  /**
   * @throws RejectedExecutionException when they are shut down
   */
  void execute(Runnable task) {
    executor.execute(task);
  }

  /**
   * @throws RejectedExecutionException when they are shut down
   */
  void after(int micros, Runnable task) {
    timer.after(micros, task);
  }
}
