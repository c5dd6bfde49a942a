package io.silkkv.ops.bench.load;

import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The ways from the sending threads of an open loop to its target. */
final class Lanes {
  private static final int POLL_MILLIS = 100;

  private final Driver driver;
  private final LoadRun run;
  private final List<Slot> slots;

  /**
   * Slots of an asynchronous target, the longest free first: when it was taken, no other was free
   * for longer.
   */
  private final BlockingQueue<Slot> free;

  Lanes(Driver driver, LoadRun run) {
    int most = driver.atOnce();
    this.driver = driver;
    this.run = run;
    this.slots = IntStream.range(0, most).mapToObj(i -> new Slot()).toList();
    this.free = new ArrayBlockingQueue<>(most, false, slots);
  }

  List<Slot> slots() {
    return slots;
  }

  boolean anySent() {
    return slots.stream().anyMatch(Slot::isSent);
  }

  /** The way of one thread. */
  Lane lane(int thread) {
    return driver instanceof Driver.Blocking blocking
        ? new BlockingLane(blocking.target(), slots.get(thread))
        : new AsyncLane(((Driver.Async) driver).target());
  }

  /** The way of one thread; for that thread. */
  abstract static class Lane {
    /** What the thread did lately. */
    abstract Busy busy();

    /**
     * Waits for a place for the next operation.
     *
     * @return null when the run is over
     */
    abstract @Nullable Slot takeSlot() throws InterruptedException;

    /** Sends, and sees to it that the outcome is counted. */
    abstract void send(Slot slot, Call call, long due, long now);
  }

  /** The thread waits for each answer. */
  private final class BlockingLane extends Lane {
    private final LoadTarget target;
    private final Slot slot;

    BlockingLane(LoadTarget target, Slot slot) {
      this.target = target;
      this.slot = slot;
    }

    @Override
    Busy busy() {
      return slot.busy();
    }

    @Override
    Slot takeSlot() {
      return slot;
    }

    @Override
    void send(Slot ours, Call call, long due, long now) {
      ours.send(call, due, now);
      run.call(ours, target);
    }
  }

  /** The answer comes on a thread of the target. */
  private final class AsyncLane extends Lane {
    private final AsyncLoadTarget target;
    private final Busy busy = new Busy();

    AsyncLane(AsyncLoadTarget target) {
      this.target = target;
    }

    @Override
    Busy busy() {
      return busy;
    }

    @Override
    @Nullable Slot takeSlot() throws InterruptedException {
      while (!run.stopped()) {
        Slot slot = free.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
        if (slot != null) {
          return slot;
        }
      }
      return null;
    }

    @Override
    void send(Slot slot, Call call, long due, long now) {
      slot.send(call, due, now);
      CompletableFuture<?> answer = run.start(slot, target);
      CompletableFuture<?> unused =
          answer.whenComplete(
              (value, error) -> {
                if (run.ended(slot, run.now(), error)) {
                  free.add(slot);
                }
              });
      busy.free(now, run.now());
    }
  }
}
