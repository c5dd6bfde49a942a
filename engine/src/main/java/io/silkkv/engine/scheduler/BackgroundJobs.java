package io.silkkv.engine.scheduler;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs background work of all engines of a node. Work is announced through a {@link Slot}, one per
 * engine and kind: a slot is queued at most once and never runs twice at a time, so a queue is
 * never longer than the number of slots and needs no other bound. The most urgent slot of a lane
 * goes first, and among those the one that has waited longest.
 *
 * <p>Three modes: {@link #threads} for use; {@link #inline}, where the thread that asks does the
 * work; and {@link #manual}, where a test decides what runs next. Thread-safe. Its lock is a leaf
 * and not held while a job runs; how urgent slots are is asked under it.
 */
public final class BackgroundJobs implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BackgroundJobs.class);

  private enum Mode {
    THREADS,
    INLINE,
    MANUAL
  }

  private enum State {
    IDLE,
    QUEUED,
    RUNNING,
    RUNNING_AND_WANTED,
    CLOSED
  }

  /** So many slots may go before another until it counts as one step more urgent. */
  private static final int PASSES_PER_STEP = 4;

  private final Mode mode;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  @GuardedBy("lock")
  private final Map<Lane, Deque<Slot>> queues = new EnumMap<>(Lane.class);

  @GuardedBy("lock")
  private boolean closed;

  private final List<Thread> threads = new ArrayList<>();

  private BackgroundJobs(Mode mode, ToIntFunction<Lane> threadsOf) {
    this.mode = mode;
    lock.lock();
    try {
      for (Lane lane : Lane.values()) {
        queues.put(lane, new ArrayDeque<>());
      }
    } finally {
      lock.unlock();
    }
    for (Lane lane : Lane.values()) {
      for (int i = 0; i < threadsOf.applyAsInt(lane); i++) {
        String name = "silkkv-" + lane.name().toLowerCase(Locale.ROOT) + "-" + i;
        Thread thread = new Thread(() -> work(lane), name);
        thread.setDaemon(true);
        threads.add(thread);
      }
    }
  }

  /**
   * Starts the threads.
   *
   * @param threadsPerLane how many jobs of a kind run at a time, at least 1
   */
  public static BackgroundJobs threads(int threadsPerLane) {
    if (threadsPerLane < 1) {
      throw new IllegalArgumentException(
          "threadsPerLane " + threadsPerLane + " must be at least 1");
    }
    return start(lane -> threadsPerLane);
  }

  /**
   * Starts as many threads as suit a machine. Flushes and compactions of level 0 of two engines can
   * always run beside each other, so that none waits for the other's end; deeper compactions keep
   * to a quarter of the processors, because they take them from requests.
   */
  public static BackgroundJobs forProcessors(int processors) {
    return start(
        lane ->
            switch (lane) {
              case FLUSH, L0 -> Math.max(2, Math.min(processors / 2, 4));
              case DEEP -> Math.max(1, Math.min(processors / 4, 4));
              default -> 1;
            });
  }

  private static BackgroundJobs start(ToIntFunction<Lane> threadsOf) {
    BackgroundJobs jobs = new BackgroundJobs(Mode.THREADS, threadsOf);
    jobs.threads.forEach(Thread::start);
    return jobs;
  }

  /** No threads: whoever asks for a run does it before the request returns. */
  public static BackgroundJobs inline() {
    return new BackgroundJobs(Mode.INLINE, lane -> 0);
  }

  /** No threads: nothing runs until {@link #runOne} says so. */
  public static BackgroundJobs manual() {
    return new BackgroundJobs(Mode.MANUAL, lane -> 0);
  }

  /**
   * A place in the queue of a lane.
   *
   * @param body does all work that is due, or a part of it and then asks for another run; it
   *     handles its own failures
   */
  public Slot slot(Lane lane, Runnable body) {
    return slot(lane, body, () -> 0);
  }

  /**
   * The same for work that may be more urgent than that of other engines.
   *
   * @param urgency whole steps count; asked under a lock, so it must neither wait nor take a lock
   */
  public Slot slot(Lane lane, Runnable body, DoubleSupplier urgency) {
    return new Slot(lane, body, urgency);
  }

  /** Runs the slot of a lane that is next; false when none waits. */
  public boolean runOne(Lane lane) {
    Slot next;
    lock.lock();
    try {
      next = poll(lane);
      if (next == null) {
        return false;
      }
      next.state = State.RUNNING;
    } finally {
      lock.unlock();
    }
    run(next);
    return true;
  }

  /** Runs slots in the order of the lanes until none waits. */
  public void runAll() {
    boolean ran = true;
    while (ran) {
      ran = false;
      for (Lane lane : Lane.values()) {
        ran |= runOne(lane);
      }
    }
  }

  /** How many slots of a lane wait for a thread. */
  public int waiting(Lane lane) {
    lock.lock();
    try {
      return queue(lane).size();
    } finally {
      lock.unlock();
    }
  }

  private void work(Lane lane) {
    for (Slot next = take(lane); next != null; next = take(lane)) {
      try {
        run(next);
      } catch (RuntimeException | Error e) {
        // The thread serves other engines too.
        LOG.error("a {} job did not handle its failure", lane, e);
      }
    }
  }

  /** Waits for a slot to run; null when this is closed, which alone ends the thread. */
  private @Nullable Slot take(Lane lane) {
    lock.lock();
    try {
      while (!closed) {
        Slot next = poll(lane);
        if (next != null) {
          next.state = State.RUNNING;
          return next;
        }
        changed.awaitUninterruptibly();
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  private void run(Slot slot) {
    boolean again = true;
    while (again) {
      try {
        slot.runner = Thread.currentThread();
        slot.body.run();
      } finally {
        slot.runner = null;
        again = finish(slot);
      }
    }
  }

  /** Whether the same thread should run the slot again. */
  private boolean finish(Slot slot) {
    lock.lock();
    try {
      changed.signalAll();
      if (slot.state != State.RUNNING_AND_WANTED || closed) {
        slot.state = slot.closing || closed ? State.CLOSED : State.IDLE;
        return false;
      }
      if (mode == Mode.INLINE) {
        slot.state = State.RUNNING;
        return true;
      }
      slot.state = State.QUEUED;
      queue(slot.lane).add(slot);
      return false;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes the next slot of a lane out. A slot that was passed over becomes more urgent, or a calm
   * engine beside busy ones would never have its turn.
   */
  @GuardedBy("lock")
  private @Nullable Slot poll(Lane lane) {
    Deque<Slot> queue = queue(lane);
    Slot next = null;
    for (Slot slot : queue) {
      if (next == null || slot.steps() > next.steps()) {
        next = slot;
      }
    }
    if (next != null) {
      queue.remove(next);
      next.passedOver = 0;
      for (Slot older : queue) {
        older.passedOver++;
      }
    }
    return next;
  }

  @GuardedBy("lock")
  private Deque<Slot> queue(Lane lane) {
    Deque<Slot> queue = queues.get(lane);
    if (queue == null) {
      throw new IllegalStateException("no queue for " + lane);
    }
    return queue;
  }

  /** Ends the threads after the jobs that run now; queued slots never run. Idempotent. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      queues.values().forEach(Deque::clear);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive() && thread != Thread.currentThread()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** One kind of work of one engine. Thread-safe. */
  public final class Slot implements AutoCloseable {
    private final Lane lane;
    private final Runnable body;
    private final DoubleSupplier urgency;

    /** Guarded by the lock of the jobs, like {@link #closing}. */
    private State state = State.IDLE;

    private boolean closing;

    /** How often another slot went first; guarded as well. */
    private int passedOver;

    /** The thread that runs the body now. */
    private volatile @Nullable Thread runner;

    private Slot(Lane lane, Runnable body, DoubleSupplier urgency) {
      this.lane = lane;
      this.body = body;
      this.urgency = urgency;
    }

    private long steps() {
      return (long) urgency.getAsDouble() + passedOver / PASSES_PER_STEP;
    }

    /**
     * Asks for a run that starts after this call. Requests that come before it starts are one
     * request. In inline mode the caller must hold no lock.
     */
    public void request() {
      boolean runHere = false;
      lock.lock();
      try {
        if (closed || closing) {
          return;
        }
        if (state == State.RUNNING) {
          state = State.RUNNING_AND_WANTED;
        } else if (state == State.IDLE && mode == Mode.INLINE) {
          state = State.RUNNING;
          runHere = true;
        } else if (state == State.IDLE) {
          state = State.QUEUED;
          queue(lane).add(this);
          changed.signalAll();
        }
      } finally {
        lock.unlock();
      }
      if (runHere) {
        BackgroundJobs.this.run(this);
      }
    }

    /** No run starts after this, and the one under way has ended, unless it is the caller's. */
    @Override
    public void close() {
      lock.lock();
      try {
        cancel();
        while (state == State.RUNNING && runner != Thread.currentThread()) {
          changed.awaitUninterruptibly();
        }
      } finally {
        lock.unlock();
      }
    }

    /** No run starts after this; one may be under way. */
    public void cancel() {
      lock.lock();
      try {
        closing = true;
        if (state == State.QUEUED) {
          queue(lane).remove(this);
        }
        if (state == State.RUNNING_AND_WANTED) {
          state = State.RUNNING;
        }
        if (state != State.RUNNING) {
          state = State.CLOSED;
        }
      } finally {
        lock.unlock();
      }
    }
  }
}
