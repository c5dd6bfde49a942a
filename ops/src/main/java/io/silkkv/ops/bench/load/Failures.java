package io.silkkv.ops.bench.load;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.ops.bench.load.data.OpKind;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Operations of one kind that failed, until the next one succeeds. Who fails asks again, and waits
 * as long as nobody gets an answer: a system that fails fast is not a fast system. They are kept by
 * hundredths of a second, so that an hour of failures needs some megabytes. Thread-safe.
 */
final class Failures {
  private static final long BUCKET_NANOS = 10_000_000;

  /** How many operations there are; read without the lock, which is needed only when there are. */
  private volatile long count;

  /** Counts by due time, rounded down to a hundredth of a second. */
  @GuardedBy("this")
  private SortedMap<Long, Long> byDue = new TreeMap<>();

  /**
   * Operations that were due at about the same time.
   *
   * @param due nanoseconds since the start of the run, at most a hundredth of a second early
   */
  record Group(OpKind kind, long due, long count) {}

  synchronized void add(long due) {
    byDue.merge(due - due % BUCKET_NANOS, 1L, Long::sum);
    count++;
  }

  /** Takes out all there are. */
  List<Group> take(OpKind kind) {
    if (count == 0) {
      return List.of();
    }
    SortedMap<Long, Long> taken;
    synchronized (this) {
      taken = byDue;
      byDue = new TreeMap<>();
      count = 0;
    }
    List<Group> groups = new ArrayList<>(taken.size());
    taken.forEach((due, operations) -> groups.add(new Group(kind, due, operations)));
    return groups;
  }
}
