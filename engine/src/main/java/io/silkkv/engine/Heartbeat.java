package io.silkkv.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets engines look at the clock: for what is due by time and not because something was written.
 * Without a thread, as in tests, it beats when it is told to. Thread-safe; its lock is a leaf.
 */
final class Heartbeat implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

  private final List<Runnable> engines = new CopyOnWriteArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition wake = lock.newCondition();

  @GuardedBy("lock")
  private boolean closed;

  /**
   * Adds an engine.
   *
   * @param look asks for the work that is due; must not wait and must not fail
   */
  void add(Runnable look) {
    engines.add(look);
  }

  /** An engine is gone; one call may be under way. */
  void remove(Runnable look) {
    engines.remove(look);
  }

  /** Lets all engines look once. */
  void beat() {
    for (Runnable engine : engines) {
      try {
        engine.run();
      } catch (RuntimeException e) {
        // The others must not suffer from it.
        LOG.error("an engine could not look for work", e);
      }
    }
  }

  /** Beats once a second until closed. */
  void start() {
    Thread thread = new Thread(this::beatAlways, "silkkv-heartbeat");
    thread.setDaemon(true);
    thread.start();
  }

  private void beatAlways() {
    while (waitForNext()) {
      beat();
    }
  }

  /** False when closed. */
  private boolean waitForNext() {
    lock.lock();
    try {
      long left = TimeUnit.SECONDS.toNanos(1);
      while (left > 0 && !closed) {
        left = wake.awaitNanos(left);
      }
      return !closed;
    } catch (InterruptedException e) {
      // Nobody but the end of the process interrupts this thread.
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** The thread ends after the beat under way. Idempotent. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      wake.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
