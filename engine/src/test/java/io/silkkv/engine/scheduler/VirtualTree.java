package io.silkkv.engine.scheduler;

import io.silkkv.engine.api.SilkOptions;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.scheduler.BandwidthController.Sample;
import java.util.ArrayList;
import java.util.List;

/**
 * An engine and its volume reduced to bytes, in virtual time: memtables, level 0 and two levels
 * below it, updates of uniformly chosen keys. The real ledger and controller decide; one job of
 * each kind moves its bytes request by request.
 */
final class VirtualTree {
  private static final long SECOND = 1_000_000_000;
  private static final long PERIOD = 10_000_000;
  private static final long DEVICE = 20_000_000;
  private static final long MEMTABLE = 6_400_000;
  private static final int TRIGGER = 4;
  private static final long FILE = 3_200_000;
  private static final double[] TARGET = {0, 25_600_000, 256_000_000, 2_560_000_000.0};

  int flushes;
  int compactions;
  int pauses;
  int mostPending;
  int mostUnflushed;
  int grantsPastFlush;

  private long now;
  private final PriorityLedger ledger = new PriorityLedger(true, 0);
  private final BandwidthController controller =
      new BandwidthController(SilkOptions.forDevice(DEVICE), 2);
  private final EngineDemand demand = new EngineDemand();

  private double readRate;
  private double writeRate;
  private double clientBytes;
  private double written;
  private double active;
  private int unflushed;
  private int l0;
  private final double[] level = {0, TARGET[1], TARGET[2], TARGET[3]};
  private final List<Work> running = new ArrayList<>();

  /** A job under way with its open request. */
  private static final class Work {
    final IoJob job;
    final Runnable end;
    IoRequest request;
    int asked;
    long askedAt;

    Work(IoJob job, Runnable end) {
      this.job = job;
      this.end = end;
    }
  }

  long now() {
    return now;
  }

  /** What clients do from now on, in bytes per second. */
  void load(double reads, double writes) {
    readRate = reads;
    writeRate = writes;
  }

  void runUntil(long end) {
    while (now < end) {
      write();
      control();
      long tick = now + PERIOD;
      schedule();
      progress();
      while (now < tick) {
        long due = tick;
        for (Work work : running) {
          due = Math.min(due, now + Math.max(1, wait(work)));
        }
        now = due;
        ledger.advance(now);
        progress();
      }
    }
  }

  private long wait(Work work) {
    return Math.min(ledger.nanosUntilDue(work.request, now), PERIOD);
  }

  private void write() {
    double bytes = writeRate * PERIOD / SECOND;
    clientBytes += bytes + readRate * PERIOD / SECOND;
    written += bytes;
    active += bytes;
    if (active >= MEMTABLE) {
      active = 0;
      unflushed++;
      mostUnflushed = Math.max(mostUnflushed, unflushed);
    }
  }

  private void control() {
    long flushed = running(IoClass.FLUSH) == null ? 0 : running(IoClass.FLUSH).job.movedBytes();
    EngineLoad load =
        new EngineLoad(
            (long) written,
            unflushed * MEMTABLE,
            (long) (MEMTABLE - active),
            (double) l0 / TRIGGER);
    double amplification = 2 * (TRIGGER * MEMTABLE + level[1]) / (TRIGGER * MEMTABLE);
    demand.look(load, flushed, amplification, now);
    boolean paused = controller.current().deepPaused();
    Allotment next =
        controller.look(
            new Sample(now, (long) clientBytes, 0, 0, demand.flushNeed(), demand.l0Need()));
    pauses += next.deepPaused() && !paused ? 1 : 0;
    ledger.setRate(next.internalRate(), now);
    ledger.reserve(IoClass.FLUSH, next.flushFloor(), now);
    ledger.reserve(IoClass.L0, next.l0Floor(), now);
    ledger.setPaused(IoClass.DEEP, next.deepPaused());
  }

  private Work running(IoClass why) {
    return running.stream()
        .filter(work -> work.job.description().why() == why)
        .findFirst()
        .orElse(null);
  }

  private void schedule() {
    if (unflushed > 0 && running(IoClass.FLUSH) == null) {
      start(
          IoClass.FLUSH,
          MEMTABLE,
          MEMTABLE,
          () -> {
            unflushed--;
            l0++;
            flushes++;
          });
    }
    if (l0 >= TRIGGER && running(IoClass.L0) == null) {
      long input = TRIGGER * MEMTABLE;
      start(
          IoClass.L0,
          input,
          (long) (2 * (input + level[1])),
          () -> {
            l0 -= TRIGGER;
            level[1] += input;
            compactions++;
          });
    }
    int from = level[1] / TARGET[1] >= level[2] / TARGET[2] ? 1 : 2;
    if (level[from] > TARGET[from] && running(IoClass.DEEP) == null) {
      double overlapped = FILE * level[from + 1] / level[from];
      start(
          IoClass.DEEP,
          FILE,
          (long) (2 * (FILE + overlapped)),
          () -> {
            level[from] -= FILE;
            // What reaches the last level replaces older versions there.
            level[from + 1] += from == 2 ? 0 : FILE;
            compactions++;
          });
    }
    mostPending = Math.max(mostPending, pending());
  }

  private int pending() {
    int waiting = l0 / TRIGGER - (running(IoClass.L0) == null ? 0 : 1);
    for (int i = 1; i < 3; i++) {
      waiting += level[i] > TARGET[i] ? 1 : 0;
    }
    return waiting - (running(IoClass.DEEP) == null ? 0 : 1);
  }

  private void start(IoClass why, long input, long total, Runnable end) {
    IoJob job =
        new IoJob(new IoJob.Description(why, input, total, () -> 1, () -> false), now, 0, null);
    Work work = new Work(job, end);
    running.add(work);
    ask(work);
  }

  private void ask(Work work) {
    int bytes = (int) Math.min(IoRequest.MAX_BYTES, work.job.remainingBytes());
    work.request = new IoRequest(work.job.description().why(), bytes, 0, work.job, null);
    work.asked = bytes;
    work.askedAt = now;
    ledger.add(work.request, now);
    ledger.advance(now);
  }

  /** Jobs whose request was granted move on, until all wait. */
  private void progress() {
    boolean moved = true;
    while (moved) {
      moved = false;
      for (Work work : List.copyOf(running)) {
        if (work.request.granted()) {
          moved = true;
          finishRequest(work);
        }
      }
    }
  }

  private void finishRequest(Work work) {
    Work flush = running(IoClass.FLUSH);
    if (work.job.description().why() == IoClass.DEEP
        && flush != null
        && !flush.request.granted()
        && flush.askedAt < work.askedAt) {
      grantsPastFlush++;
    }
    work.job.moved(work.asked);
    if (work.job.remainingBytes() == 0) {
      running.remove(work);
      work.end.run();
    } else {
      ask(work);
    }
  }
}
