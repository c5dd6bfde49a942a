package io.silkkv.ops.bench.load;

import io.silkkv.ops.bench.load.figures.GeneratorFigures;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiPredicate;
import org.HdrHistogram.AtomicHistogram;

/**
 * How late the generator sent operations although a thread and a slot were free. An operation that
 * found them busy is late because of the system, except for the part that the generator had in what
 * kept them busy. An operation that was late because of a pause of the JVM can be excused.
 * Thread-safe.
 */
final class Lateness {
  private static final long MOST_NANOS = 3_600_000_000_000L;

  /** What is later may be the fault of a pause of the JVM. */
  private static final long SUSPECT_NANOS = 500_000;

  /** Suspects in memory, 100 bytes each; more of them are not excused. */
  private static final int MOST_SUSPECTS = 250_000;

  private final Queue<Suspect> suspects = new ConcurrentLinkedQueue<>();
  private final AtomicInteger suspectCount = new AtomicInteger();
  private final AtomicHistogram lateness = new AtomicHistogram(100, MOST_NANOS, 3);
  private final LongAdder sent = new LongAdder();
  private final LongAdder behind = new LongAdder();
  private final LongAdder own = new LongAdder();
  private final LongAdder system = new LongAdder();

  /** An operation that was so late, due and sent at these times. */
  private record Suspect(long due, long sent, long late) {}

  /**
   * An operation is being sent.
   *
   * <p>Of the delay of an operation that found no thread or slot, the generator is to blame for the
   * share that it had in what kept them busy: the sending thread with making operations instead of
   * waiting for the system, and the slot with lying idle instead of being used. The smaller of both
   * shares counts, since the other one was not what was short.
   *
   * @param thread what the sending thread did, and {@code slot}, the place for the operation did;
   *     the same for a thread that waits for its answers
   */
  void sent(Busy thread, Busy slot, long due, long now) {
    long ready = Math.max(due, Math.max(thread.freeAt(), slot.freeAt()));
    long ownNow = now - ready;
    sent.increment();
    own.add(ownNow);
    if (slot != thread) {
      if (due >= slot.freeAt()) {
        slot.begin(ownNow, ready - due);
      } else {
        slot.goOn(now - slot.freeAt(), 0);
      }
    }
    if (due >= thread.freeAt()) {
      thread.begin(ownNow, ready - due);
    } else {
      thread.goOn(ownNow, ready - thread.freeAt());
    }
    if (ready == due) {
      late(due, now, ownNow);
      return;
    }
    late(due, now, (long) ((now - due) * Math.min(thread.ownShare(), slot.ownShare())));
    behind.increment();
  }

  /** In a closed loop an operation is due when its slot becomes free. */
  void sentInClosedLoop(Busy slot, long now) {
    sent.increment();
    if (slot.freeAt() >= 0) {
      own.add(now - slot.freeAt());
    }
  }

  /** An operation took the system so long. */
  void answered(long nanos) {
    system.add(nanos);
  }

  private void late(long due, long now, long nanos) {
    if (nanos > SUSPECT_NANOS && suspectCount.incrementAndGet() <= MOST_SUSPECTS) {
      suspects.add(new Suspect(due, now, nanos));
    } else {
      count(nanos);
    }
  }

  private void count(long nanos) {
    lateness.recordValue(Math.max(0, Math.min(nanos, MOST_NANOS)));
  }

  /**
   * Forgives what was sent late because of a pause. To be called once, when nothing is sent any
   * more.
   *
   * @param paused whether all threads stood somewhen between two times
   */
  void excuse(BiPredicate<Long, Long> paused) {
    for (Suspect suspect : suspects) {
      count(paused.test(suspect.due, suspect.sent) ? 0 : suspect.late);
    }
    suspects.clear();
  }

  long sent() {
    return sent.sum();
  }

  GeneratorFigures figures(long unsent) {
    double busy = (double) own.sum() + system.sum();
    return new GeneratorFigures(
        lateness.getValueAtPercentile(50),
        lateness.getValueAtPercentile(99),
        lateness.getMaxValue(),
        sent.sum() == 0 ? 0 : behind.sum() / (double) sent.sum(),
        busy == 0 ? 0 : own.sum() / busy,
        unsent);
  }
}
