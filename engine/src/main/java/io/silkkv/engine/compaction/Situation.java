package io.silkkv.engine.compaction;

import io.silkkv.engine.version.Levels;
import io.silkkv.engine.version.LiveSequences;
import io.silkkv.engine.version.TableMetadata;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * All that the choice of the next compaction depends on. A value of one moment.
 *
 * @param levels the tree
 * @param running jobs under way, all picked from shapes that held their tables
 * @param damaged numbers of tables that cannot be read, and so must not be compacted
 * @param live views as of now
 * @param nowSeconds seconds since 1970
 * @param passedOver how often each reason of {@link DeepPicker} was due and another was preferred
 */
public record Situation(
    Levels levels,
    List<Compaction> running,
    Set<Long> damaged,
    LiveSequences live,
    long nowSeconds,
    List<Integer> passedOver) {

  public Situation {
    running = List.copyOf(running);
    damaged = Set.copyOf(damaged);
    passedOver = List.copyOf(passedOver);
  }

  /** A tree at rest. */
  public static Situation of(Levels levels) {
    return new Situation(levels, List.of(), Set.of(), LiveSequences.NONE, 0, List.of());
  }

  /** Numbers of the tables that no job may take. */
  Set<Long> busy() {
    Set<Long> busy = new HashSet<>(damaged);
    running.forEach(job -> job.tables().forEach(table -> busy.add(table.number())));
    return busy;
  }

  /**
   * Whether a compaction needs a table that it cannot have, or would meet the result of another.
   */
  boolean conflicts(Compaction candidate, Set<Long> busy) {
    return candidate.tables().stream().anyMatch(table -> busy.contains(table.number()))
        || running.stream().anyMatch(candidate::outputsMayMeet);
  }

  /** Jobs under way because of which a compaction has to wait. */
  List<Compaction> inTheWay(Compaction candidate) {
    Set<Long> wanted = new HashSet<>();
    candidate.tables().forEach(table -> wanted.add(table.number()));
    return running.stream()
        .filter(
            job ->
                candidate.outputsMayMeet(job)
                    || job.tables().stream().anyMatch(table -> wanted.contains(table.number())))
        .toList();
  }

  /** Whether the oldest data of a table is older than an age. */
  boolean isOld(TableMetadata table, long ageSeconds) {
    return ageSeconds > 0
        && table.createdSeconds() > 0
        && nowSeconds - table.createdSeconds() >= ageSeconds;
  }
}
