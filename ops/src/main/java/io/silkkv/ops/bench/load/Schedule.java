package io.silkkv.ops.bench.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * When each operation of a run is to be sent, fixed before the run: what the system does cannot
 * change it. Operations are numbered from 0 in the order of their times. Immutable.
 */
public final class Schedule {
  /** Poisson arrivals are kept one by one: 16 million are 128 MiB. */
  private static final int MOST_POISSON = 16_000_000;

  private static final double NANOS = 1e9;

  /** How the operations of a phase lie in it. */
  public enum Arrivals {
    /** At equal distances. */
    EVEN,
    /** Independent of each other, as of many users: at exponentially distributed distances. */
    POISSON
  }

  /** First number and start of each phase, and in the last element the end of the schedule. */
  private final long[] firstNumber;

  private final long[] startNanos;
  private final double[] perSecond;

  /** The time of each operation, for Poisson arrivals; empty for even ones. */
  private final long[] times;

  private Schedule(long[] firstNumber, long[] startNanos, double[] perSecond, long[] times) {
    this.firstNumber = firstNumber;
    this.startNanos = startNanos;
    this.perSecond = perSecond;
    this.times = times;
  }

  /**
   * Repeats the phases until a bound is reached.
   *
   * @param seconds length of the schedule: the last phase may be cut
   * @param mostOperations bound on the count; the schedule ends with the last one
   * @param seed for Poisson arrivals
   * @throws IllegalArgumentException for no phases, or more than 16 million Poisson arrivals
   */
  public static Schedule of(
      List<Phase> phases, double seconds, long mostOperations, Arrivals arrivals, long seed) {
    if (phases.isEmpty() || !(seconds > 0) || mostOperations < 1) {
      throw new IllegalArgumentException(
          "a schedule needs a phase, seconds above 0 and at least one operation, not "
              + phases
              + ", "
              + seconds
              + " s and "
              + mostOperations);
    }
    List<Phase> all = repeated(phases, seconds);
    long[] first = new long[all.size() + 1];
    long[] start = new long[all.size() + 1];
    double[] perSecond = new double[all.size()];
    int used = 0;
    double at = 0;
    while (used < all.size() && first[used] < mostOperations) {
      Phase phase = all.get(used);
      perSecond[used] = phase.opsPerSecond();
      long count = (long) Math.ceil(phase.seconds() * phase.opsPerSecond() - 1e-9);
      at += phase.seconds();
      used++;
      start[used] = Math.round(at * NANOS);
      first[used] = first[used - 1] + count;
    }
    if (first[used] > mostOperations) {
      first[used] = mostOperations;
      start[used] =
          start[used - 1]
              + (long) Math.ceil((mostOperations - first[used - 1]) * NANOS / perSecond[used - 1]);
    }
    Schedule even =
        new Schedule(
            Arrays.copyOf(first, used + 1),
            Arrays.copyOf(start, used + 1),
            Arrays.copyOf(perSecond, used),
            new long[0]);
    return arrivals == Arrivals.EVEN ? even : even.poisson(mostOperations, seed);
  }

  /** One phase, evenly spaced. */
  public static Schedule constant(double seconds, double opsPerSecond) {
    return of(List.of(new Phase(seconds, opsPerSecond)), seconds, Long.MAX_VALUE, Arrivals.EVEN, 0);
  }

  private static List<Phase> repeated(List<Phase> phases, double seconds) {
    List<Phase> all = new ArrayList<>();
    double left = seconds;
    for (int i = 0; left > 1e-9; i = (i + 1) % phases.size()) {
      Phase phase = phases.get(i);
      double length = Math.min(left, phase.seconds());
      all.add(new Phase(length, phase.opsPerSecond()));
      left -= length;
    }
    return all;
  }

  /** The same phases with the arrivals of a Poisson process of their rates. */
  private Schedule poisson(long mostOperations, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] times = new long[1024];
    int count = 0;
    long[] first = new long[firstNumber.length];
    for (int phase = 0; phase < perSecond.length; phase++) {
      first[phase] = count;
      double at = startNanos[phase];
      while (perSecond[phase] > 0) {
        at -= Math.log(1 - random.nextDouble()) * NANOS / perSecond[phase];
        if (at >= startNanos[phase + 1] || count == mostOperations) {
          break;
        }
        if (count == MOST_POISSON) {
          throw new IllegalArgumentException(
              "more than "
                  + MOST_POISSON
                  + " Poisson arrivals: choose a lower rate, a shorter run or even arrivals");
        }
        if (count == times.length) {
          times = Arrays.copyOf(times, Math.min(MOST_POISSON, times.length * 2));
        }
        times[count++] = (long) at;
      }
    }
    first[perSecond.length] = count;
    return new Schedule(first, startNanos, perSecond, Arrays.copyOf(times, count));
  }

  /** How many operations there are. */
  public long count() {
    return firstNumber[firstNumber.length - 1];
  }

  /** Length in nanoseconds, the silence at the end included. */
  public long lengthNanos() {
    return startNanos[startNanos.length - 1];
  }

  /**
   * When an operation is to be sent, in nanoseconds since the start of the run; never less than for
   * the number before.
   *
   * @param number 0 to {@link #count} - 1
   */
  public long nanosAt(long number) {
    if (number < 0 || number >= count()) {
      throw new IndexOutOfBoundsException("operation " + number + " of " + count());
    }
    if (times.length > 0) {
      return times[(int) number];
    }
    int phase = phaseOf(firstNumber, number);
    return startNanos[phase] + (long) ((number - firstNumber[phase]) * NANOS / perSecond[phase]);
  }

  /** How many operations are due before a time since the start. */
  public long countBefore(long nanos) {
    long low = 0;
    long high = count();
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (nanosAt(middle) < nanos) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The last phase that begins at or before the number and is not empty at it. */
  private static int phaseOf(long[] first, long number) {
    int low = 0;
    int high = first.length - 2;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (first[middle] <= number) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}
