package io.silkkv.ops.bench.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * What must be taken away when a run ends, however it ends: processes, control groups, devices,
 * directories. The last one added goes first. Also works when the process is told to end (Ctrl-C,
 * SIGTERM); only kill -9 leaves things behind. Thread-safe.
 */
final class Leftovers implements AutoCloseable {
  private final Consumer<String> complaints;

  @GuardedBy("this")
  private final Deque<Step> steps = new ArrayDeque<>();

  @GuardedBy("this")
  private boolean ended;

  private final Thread atExit = new Thread(this::removeAll, "bench-cleanup");

  /** How one thing is taken away. */
  @FunctionalInterface
  interface Removal {
    void run() throws Exception;
  }

  private record Step(String what, Removal removal) {}

  /**
   * @param complaints is told what could not be removed
   */
  Leftovers(Consumer<String> complaints) {
    this.complaints = complaints;
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /**
   * Adds a step; call it before the thing is made, so that no moment is left in which nobody knows
   * of it.
   *
   * @param what names the thing, and what a person can do about it
   */
  synchronized void add(String what, Removal removal) {
    if (ended) {
      throw new IllegalStateException("the run has ended; " + what + " is not made any more");
    }
    steps.push(new Step(what, removal));
  }

  private synchronized void removeAll() {
    ended = true;
    while (!steps.isEmpty()) {
      Step step = steps.pop();
      try {
        step.removal().run();
      } catch (Exception e) {
        complaints.accept(step.what() + " could not be removed: " + e.getMessage());
      }
    }
  }

  @Override
  public void close() {
    removeAll();
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // The process ends already, and the hook finds nothing left to do.
      return;
    }
  }
}
