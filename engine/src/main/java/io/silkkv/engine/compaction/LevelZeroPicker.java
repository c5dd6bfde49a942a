package io.silkkv.engine.compaction;

import io.silkkv.engine.compaction.Compaction.Reason;
import io.silkkv.engine.version.Levels;
import io.silkkv.engine.version.TableMetadata;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Chooses what to compact on level 0. Its oldest tables go to the base level. Newer ones may stay
 * although they overlap them, because they stay above the result; so a job is never larger than
 * needed, and the next one can run at the same time when it meets none of the first one's tables.
 *
 * <p>Only when the oldest tables cannot go are the newest merged with each other, so that reads do
 * not meet ever more of them. Such a merge never takes the tables that the next job for the base
 * level begins with, and is bounded in size, so it delays no such job. A pure function of the
 * {@link Situation}.
 */
public final class LevelZeroPicker {
  /** Fewer tables are not worth a merge among themselves. */
  private static final int MIN_MERGED = 4;

  /** Most bytes of a merge among the newest, in sizes of the base level. */
  private static final int MAX_MERGED_BASES = 2;

  private final CompactionOptions options;

  /**
   * What to do about level 0.
   *
   * @param job what can be started now
   * @param inTheWay when there is no job for the base level though one is due: who blocks it
   */
  public record Choice(Optional<Compaction> job, List<Compaction> inTheWay) {}

  public LevelZeroPicker(CompactionOptions options) {
    this.options = options;
  }

  /** How urgent level 0 is: 1 or more when it is due. Tables of jobs under way do not count. */
  public double score(Situation now) {
    Set<Long> busy = now.busy();
    List<TableMetadata> idle = idle(now.levels().tables(0), busy);
    double byCount = (double) idle.size() / options.l0Trigger();
    // Size alone must not merge a single large table again and again.
    return idle.size() < 2
        ? byCount
        : Math.max(byCount, (double) Levels.bytes(idle) / options.levelBaseBytes());
  }

  /** The next job of level 0. */
  public Choice pick(Situation now) {
    Set<Long> busy = now.busy();
    Compaction blocked = null;
    List<TableMetadata> window = oldest(now, busy);
    boolean due = score(now) >= 1;
    for (int i = window.size() - 1; i >= 0; i--) {
      TableMetadata seed = window.get(i);
      if (busy.contains(seed.number()) || !(due || isWorthItAlone(now, seed))) {
        continue;
      }
      Compaction toBase = toBase(now, due ? Reason.SIZE : reasonOf(seed), window, seed);
      if (!now.conflicts(toBase, busy)) {
        return new Choice(Optional.of(toBase), List.of());
      }
      blocked = blocked == null ? toBase : blocked;
    }
    if (blocked == null || !due) {
      return new Choice(Optional.empty(), List.of());
    }
    return new Choice(mergeNewest(now, busy), now.inTheWay(blocked));
  }

  private boolean isWorthItAlone(Situation now, TableMetadata table) {
    return options.isDense(table) || now.isOld(table, options.fileTtlSeconds());
  }

  private Reason reasonOf(TableMetadata table) {
    return options.isDense(table) ? Reason.TOMBSTONES : Reason.AGE;
  }

  /**
   * The oldest tables, newest first: as many idle ones as would start a job by their number and
   * fill the base level by their size. Ends at a merge among the newest.
   */
  private List<TableMetadata> oldest(Situation now, Set<Long> busy) {
    List<TableMetadata> newestFirst = now.levels().tables(0);
    int from = newestFirst.size();
    int count = 0;
    long bytes = 0;
    while (from > 0 && (count < options.l0Trigger() || bytes < options.levelBaseBytes())) {
      TableMetadata next = newestFirst.get(from - 1);
      if (isMerging(now, next)) {
        break;
      }
      from--;
      if (!busy.contains(next.number())) {
        count++;
        bytes += next.fileBytes();
      }
    }
    return newestFirst.subList(from, newestFirst.size());
  }

  private static boolean isMerging(Situation now, TableMetadata table) {
    return now.running().stream()
        .anyMatch(job -> job.outputLevel() == 0 && job.inputs().contains(table));
  }

  /**
   * The seed with all that it meets, directly or through others. Older tables must come along, or
   * the result would lie below them; newer ones of the window come because they are at hand.
   */
  private Compaction toBase(
      Situation now, Reason reason, List<TableMetadata> window, TableMetadata seed) {
    List<TableMetadata> inputs = List.of(seed);
    boolean grown = true;
    while (grown) {
      var first = KeyRange.smallest(inputs);
      var last = KeyRange.largest(inputs);
      List<TableMetadata> met = window.stream().filter(t -> t.overlaps(first, last)).toList();
      grown = met.size() > inputs.size();
      inputs = met;
    }
    int base = LevelTargets.of(now.levels(), options).baseLevel();
    List<TableMetadata> overlapped =
        now.levels().overlapping(base, KeyRange.smallest(inputs), KeyRange.largest(inputs));
    return new Compaction(now.levels(), 0, base, inputs, overlapped, reason);
  }

  /** The newest idle tables, in one run of age, without those that the next job begins with. */
  private Optional<Compaction> mergeNewest(Situation now, Set<Long> busy) {
    List<TableMetadata> newestFirst = now.levels().tables(0);
    int limit = idle(newestFirst, busy).size() - options.l0Trigger();
    int end = 0;
    long bytes = 0;
    while (end < limit && !busy.contains(newestFirst.get(end).number())) {
      bytes += newestFirst.get(end).fileBytes();
      if (bytes > MAX_MERGED_BASES * options.levelBaseBytes()) {
        break;
      }
      end++;
    }
    boolean merging = now.running().stream().anyMatch(job -> job.outputLevel() == 0);
    return end < MIN_MERGED || merging
        ? Optional.empty()
        : Optional.of(
            new Compaction(
                now.levels(), 0, 0, newestFirst.subList(0, end), List.of(), Reason.L0_COUNT));
  }

  private static List<TableMetadata> idle(List<TableMetadata> tables, Set<Long> busy) {
    return tables.stream().filter(table -> !busy.contains(table.number())).toList();
  }
}
