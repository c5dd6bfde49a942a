package io.silkkv.ops.bench.load;

import io.silkkv.ops.bench.load.data.OpKind;
import io.silkkv.ops.bench.load.figures.OpFigures;
import io.silkkv.ops.bench.load.figures.SecondFigures;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Collects latencies per second and kind of operation. In an open loop an operation belongs to the
 * second in which it was due, so that a stall shows in the seconds in which it was; in a closed
 * loop, which has no due times, to the second in which it ended.
 *
 * <p>{@link #answered}, {@link #failed} and {@link #unanswered} are for any number of threads and
 * take no lock. {@link #closeSeconds}, {@link #finish} and what comes after are for the one thread
 * that runs the load: a second that is complete is reduced to its figures, so that a run holds only
 * the histograms of the seconds that are open. All times are nanoseconds since the start of the
 * run.
 */
final class Recorder {
  private static final long SECOND = 1_000_000_000L;
  private static final int KINDS = OpKind.COUNT;

  /** How many times the median second's p99 makes a second bad. */
  private static final long BAD_FACTOR = 10;

  private static final SecondCell CLOSED = closedCell();

  /** How many operations belong to a second; null where only time tells (closed loop). */
  private final @Nullable IntToLongFunction expected;

  /** By second. */
  private final AtomicReferenceArray<@Nullable SecondCell> cells;

  /** Operations that ended well, by second of their end and kind. */
  private final AtomicLongArray finished;

  private final Counts answered = new Counts();
  private final Counts failed = new Counts();
  private final Counts unanswered = new Counts();
  private final Stalls stalls = new Stalls();

  /** By kind. */
  private final List<Failures> failures = Stream.generate(Failures::new).limit(KINDS).toList();

  // For the thread that runs the load.
  private final Map<OpKind, Histogram> totals = new EnumMap<>(OpKind.class);
  private final List<SecondFigures> perSecond = new ArrayList<>();
  private final BitSet closed = new BitSet();
  private int firstOpen;

  private Recorder(@Nullable IntToLongFunction expected, int seconds) {
    this.expected = expected;
    this.cells = new AtomicReferenceArray<>(seconds);
    this.finished = new AtomicLongArray(seconds * KINDS);
  }

  /**
   * @param overrunNanos how long after the schedule answers may come
   */
  static Recorder open(Schedule schedule, long overrunNanos) {
    int seconds = (int) ((schedule.lengthNanos() + overrunNanos) / SECOND) + 2;
    return new Recorder(
        second ->
            schedule.countBefore((second + 1) * SECOND) - schedule.countBefore(second * SECOND),
        seconds);
  }

  /**
   * @param mostSeconds length of the longest run; what comes later counts to the last second
   */
  static Recorder closed(int mostSeconds) {
    return new Recorder(null, mostSeconds);
  }

  private static SecondCell closedCell() {
    SecondCell cell = new SecondCell();
    cell.close();
    return cell;
  }

  /** An operation ended well, and with it the wait of those that failed before. */
  void answered(OpKind kind, long due, long end) {
    count(kind, due, end, 1);
    answered.add(kind);
    stalls.answered(kind, due, end);
    finished.incrementAndGet(second(end) * KINDS + kind.index());
    countFailures(kind, end);
  }

  /** An operation ended with an error: it waits for the next success of its kind. */
  void failed(OpKind kind, long due, long end) {
    int second = second(expected == null ? end : due);
    while (second < cells.length() && !cell(second).error(kind)) {
      second++;
    }
    failures.get(kind.index()).add(due);
    failed.add(kind);
    stalls.failed(kind, due);
  }

  /** The run is over at {@code end}, and the operation is still open: it has waited at least so. */
  void unanswered(OpKind kind, long due, long end) {
    count(kind, due, end, 1);
    unanswered.add(kind);
    stalls.answered(kind, due, end);
  }

  private void countFailures(OpKind kind, long end) {
    for (Failures.Group group : failures.get(kind.index()).take(kind)) {
      count(kind, group.due(), Math.max(group.due(), end), group.count());
    }
  }

  private void count(OpKind kind, long due, long end, long operations) {
    // A closed loop's second may have been closed by a thread that was faster: then the next one.
    for (int second = second(expected == null ? end : due); second < cells.length(); second++) {
      if (cell(second).latency(kind, end - due, operations)) {
        return;
      }
    }
  }

  private SecondCell cell(int second) {
    SecondCell known = cells.get(second);
    if (known != null) {
      return known;
    }
    SecondCell created = new SecondCell();
    SecondCell before = cells.compareAndExchange(second, null, created);
    return before == null ? created : before;
  }

  private int second(long nanos) {
    return (int) Math.min(nanos / SECOND, cells.length() - 1L);
  }

  /**
   * Reduces the seconds that are complete.
   *
   * @param now time since the start
   * @return their figures
   */
  List<SecondFigures> closeSeconds(long now) {
    // The last cell takes what comes late and stays open to the end.
    int limit = Math.min((int) (now / SECOND), cells.length() - 1);
    int from = perSecond.size();
    for (int second = firstOpen; second < limit; second++) {
      if (!closed.get(second) && complete(second, now)) {
        reduce(second);
      }
    }
    firstOpen = closed.nextClearBit(firstOpen);
    return List.copyOf(perSecond.subList(from, perSecond.size()));
  }

  private boolean complete(int second, long now) {
    SecondCell cell = cell(second);
    if (expected != null) {
      return cell.count() == expected.applyAsLong(second) && cell.close();
    }
    // A second of grace, since a thread may rest between the end of an operation and its count.
    return now >= (second + 2) * SECOND && cell.close();
  }

  private void reduce(int second) {
    SecondCell cell = cells.getAndSet(second, CLOSED);
    closed.set(second);
    if (cell == null) {
      return;
    }
    for (OpKind kind : OpKind.values()) {
      Histogram latencies = cell.latencies(kind);
      long done = finished.get(second * KINDS + kind.index());
      long errors = cell.errors(kind);
      if (latencies == null && done == 0 && errors == 0) {
        continue;
      }
      if (latencies != null) {
        totals.computeIfAbsent(kind, k -> SecondCell.newTotal()).add(latencies);
      }
      perSecond.add(
          new SecondFigures(
              second,
              kind,
              latencies == null ? 0 : latencies.getTotalCount(),
              done,
              errors,
              latencies == null ? 0 : latencies.getValueAtPercentile(50),
              latencies == null ? 0 : latencies.getValueAtPercentile(99),
              latencies == null ? 0 : latencies.getMaxValue()));
    }
  }

  /**
   * Reduces all seconds that are left; nobody may count any more.
   *
   * @param end of the run
   * @return the figures of all seconds, in order
   */
  List<SecondFigures> finish(long end) {
    stalls.finish(end);
    for (OpKind kind : OpKind.values()) {
      countFailures(kind, end);
    }
    for (int second = 0; second < cells.length(); second++) {
      if (!closed.get(second)) {
        reduce(second);
      }
    }
    List<SecondFigures> all = new ArrayList<>();
    Map<Integer, List<SecondFigures>> bySecond =
        perSecond.stream().collect(Collectors.groupingBy(SecondFigures::second));
    for (int second = 0; second < cells.length(); second++) {
      for (OpKind kind : OpKind.values()) {
        SecondFigures known = null;
        for (SecondFigures figures : bySecond.getOrDefault(second, List.of())) {
          known = figures.op() == kind ? figures : known;
        }
        // Answers may have been counted after the figures of their second were made.
        long done = finished.get(second * KINDS + kind.index());
        if (known != null || done > 0) {
          all.add(
              known == null
                  ? new SecondFigures(second, kind, 0, done, 0, 0, 0, 0)
                  : known.withFinished(done));
        }
      }
    }
    return all;
  }

  /**
   * Figures of all kinds that occurred; after {@link #finish}.
   *
   * @param offeredSeconds length of the schedule, or of the closed loop
   * @param seconds from the start to the last answer
   */
  List<OpFigures> figures(double offeredSeconds, double seconds) {
    List<OpFigures> all = new ArrayList<>();
    for (OpKind kind : OpKind.values()) {
      long due = answered.get(kind) + failed.get(kind) + unanswered.get(kind);
      if (due == 0) {
        continue;
      }
      Histogram total = totals.getOrDefault(kind, SecondCell.newTotal());
      all.add(
          new OpFigures(
              kind,
              due / offeredSeconds,
              answered.get(kind) / seconds,
              total.getTotalCount(),
              failed.get(kind),
              unanswered.get(kind),
              total.getValueAtPercentile(50),
              total.getValueAtPercentile(90),
              total.getValueAtPercentile(99),
              total.getValueAtPercentile(99.9),
              total.getValueAtPercentile(99.99),
              total.getMaxValue(),
              badSeconds(kind),
              stalls.nanos(kind)));
    }
    return all;
  }

  /** The p99 of all kinds together; 0 when nothing was counted. After {@link #finish}. */
  long p99() {
    Histogram all = SecondCell.newTotal();
    totals.values().forEach(all::add);
    return all.getValueAtPercentile(99);
  }

  private int badSeconds(OpKind kind) {
    long[] p99s =
        perSecond.stream()
            .filter(figures -> figures.op() == kind && figures.count() > 0)
            .mapToLong(SecondFigures::p99)
            .sorted()
            .toArray();
    if (p99s.length == 0) {
      return 0;
    }
    long median = p99s[(p99s.length - 1) / 2];
    int bad = 0;
    for (long p99 : p99s) {
      if (p99 > BAD_FACTOR * median) {
        bad++;
      }
    }
    return bad;
  }

  /** Answers and errors so far. */
  long answeredOrFailed() {
    return answered.sum() + failed.sum();
  }

  long answered() {
    return answered.sum();
  }

  long failed() {
    return failed.sum();
  }
}
