package io.silkkv.engine.compaction;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.compaction.Compaction.Reason;
import io.silkkv.engine.version.Levels;
import io.silkkv.engine.version.TableMetadata;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Chooses what to compact below level 0. What may be due: a level that is larger than its target, a
 * table of deletions, an old table. A level's priority is how many times over its target it is,
 * divided by the same of the next level when that is too large too: what moves into a full level
 * rewrites more of it and has to move on again. Whoever is due and passed over gains priority each
 * time, so nothing waits for ever.
 *
 * <p>Of a level the table is chosen that meets the fewest bytes of the next one for its own size,
 * because that moves the most for the least work. Each deletion makes a table count as larger, by
 * what it will remove further down. Tables of jobs under way are left alone, and ranges that they
 * write to, so jobs can run side by side. A pure function of the {@link Situation}.
 */
public final class DeepPicker {
  /** Index in {@link Situation#passedOver} of tables of deletions; levels have their own number. */
  static final int TOMBSTONES = 0;

  /** Index of old tables. */
  static final int AGE = Levels.COUNT;

  /** Length of {@link Situation#passedOver}. */
  static final int REASONS = Levels.COUNT + 1;

  /** So many times its target, the base level costs level 0 more than moving a table costs. */
  static final int RELIEF_AT = 2;

  /** So many times its target, it costs so much that level 0 had better wait. */
  static final int RELIEF_FIRST_AT = 8;

  private static final double GAIN_WHEN_PASSED_OVER = 0.1;
  private static final double DRAIN_PRIORITY = 0.5;

  /** Something that is due, and the tables that a job for it could start from. */
  private record Due(int reason, double priority, List<Start> starts) {}

  /** A table to start from. */
  private record Start(int level, TableMetadata table) {}

  /**
   * A choice.
   *
   * @param compaction what to do
   * @param reason index in {@link Situation#passedOver} of why
   * @param passedOver indexes of those that are due too
   */
  public record Choice(Compaction compaction, int reason, List<Integer> passedOver) {}

  private final CompactionOptions options;

  public DeepPicker(CompactionOptions options) {
    this.options = options;
  }

  /**
   * The next job below level 0, if one is due and can be started.
   *
   * @param besideBase whether tables of the base level must be left to level 0, which waits for
   *     them
   */
  public Optional<Choice> pick(Situation now, boolean besideBase) {
    LevelTargets targets = LevelTargets.of(now.levels(), options);
    Set<Long> busy = now.busy();
    List<Due> due = due(now, targets, busy);
    for (Due next : due) {
      Optional<Compaction> picked =
          cheapest(now, next, busy)
              .filter(job -> !(besideBase && touches(job, targets.baseLevel())))
              .findFirst();
      if (picked.isPresent()) {
        List<Integer> others =
            due.stream().map(Due::reason).filter(reason -> reason != next.reason).toList();
        return Optional.of(new Choice(grown(now, picked.get(), busy), next.reason, others));
      }
    }
    return Optional.empty();
  }

  /**
   * A table of the base level to move down, if the level is far too large.
   *
   * @param turn whether it is its turn; if not, the level has to be even larger
   */
  Optional<Compaction> relief(Situation now, boolean turn) {
    LevelTargets targets = LevelTargets.of(now.levels(), options);
    int base = targets.baseLevel();
    Set<Long> busy = now.busy();
    double limit = Math.max(targets.bytes(base), (double) options.levelBaseBytes());
    if (now.levels().bytes(base) <= (turn ? RELIEF_AT : RELIEF_FIRST_AT) * limit) {
      return Optional.empty();
    }
    return cheapest(now, new Due(base, 0, idle(now, base, busy)), busy)
        .findFirst()
        .map(job -> grown(now, job, busy));
  }

  /** Jobs that can be started, cheapest first. */
  private static Stream<Compaction> cheapest(Situation now, Due due, Set<Long> busy) {
    return due.starts.stream()
        .sorted(Comparator.comparingDouble(start -> cost(now.levels(), start)))
        .map(start -> from(now.levels(), start, due.reason))
        .filter(job -> !now.conflicts(job, busy));
  }

  private static boolean touches(Compaction job, int level) {
    return job.level() == level || job.outputLevel() == level;
  }

  /** What is due, most urgent first. */
  private List<Due> due(Situation now, LevelTargets targets, Set<Long> busy) {
    List<Due> due = new ArrayList<>();
    for (int level = 1; level < Levels.LAST; level++) {
      double over = overTarget(now, targets, level, busy);
      if (over > 1) {
        double below = Math.max(1, overTarget(now, targets, level + 1, busy));
        double priority = targets.bytes(level) == 0 ? DRAIN_PRIORITY : over / below;
        due.add(new Due(level, priority + gain(now, level), idle(now, level, busy)));
      }
    }
    List<Start> dense = new ArrayList<>();
    List<Start> old = new ArrayList<>();
    for (int level = 1; level < Levels.COUNT; level++) {
      for (Start start : idle(now, level, busy)) {
        if (isDense(now, start)) {
          dense.add(start);
        }
        if (level < Levels.LAST && now.isOld(start.table, options.fileTtlSeconds())) {
          old.add(start);
        }
      }
    }
    if (!dense.isEmpty()) {
      due.add(new Due(TOMBSTONES, 1 + gain(now, TOMBSTONES), dense));
    }
    if (!old.isEmpty()) {
      due.add(new Due(AGE, DRAIN_PRIORITY + gain(now, AGE), old));
    }
    due.sort(Comparator.comparingDouble(each -> -each.priority));
    return due;
  }

  /** On the last level, where deletions got only because a view was open, one is too many. */
  private boolean isDense(Situation now, Start start) {
    TableMetadata table = start.table;
    return start.level < Levels.LAST
        ? options.isDense(table)
        : table.hasDeletions() && now.live().noneBelow(table.largestSequence());
  }

  private static List<Start> idle(Situation now, int level, Set<Long> busy) {
    return now.levels().tables(level).stream()
        .filter(table -> !busy.contains(table.number()))
        .map(table -> new Start(level, table))
        .toList();
  }

  private static double gain(Situation now, int reason) {
    return reason < now.passedOver().size()
        ? GAIN_WHEN_PASSED_OVER * now.passedOver().get(reason)
        : 0;
  }

  /** Size relative to the target. What is on its way down does not count. */
  private static double overTarget(Situation now, LevelTargets targets, int level, Set<Long> busy) {
    long bytes = 0;
    for (TableMetadata table : now.levels().tables(level)) {
      bytes += busy.contains(table.number()) ? 0 : table.fileBytes();
    }
    double target = targets.bytes(level);
    if (bytes == 0) {
      return 0;
    }
    return target == 0 ? Double.MAX_VALUE : bytes / target;
  }

  private static Compaction from(Levels levels, Start start, int reason) {
    Reason why =
        switch (reason) {
          case TOMBSTONES -> Reason.TOMBSTONES;
          case AGE -> Reason.AGE;
          default -> Reason.SIZE;
        };
    return start.level == Levels.LAST
        ? new Compaction(levels, Levels.LAST, Levels.LAST, List.of(start.table), List.of(), why)
        : down(levels, start.level, List.of(start.table), why);
  }

  private static Compaction down(
      Levels levels, int level, List<TableMetadata> inputs, Reason reason) {
    Slice from = KeyRange.smallest(inputs);
    Slice to = KeyRange.largest(inputs);
    return new Compaction(
        levels, level, level + 1, inputs, levels.overlapping(level + 1, from, to), reason);
  }

  /** Bytes to rewrite on the next level for each byte that moves there. */
  private static double cost(Levels levels, Start start) {
    TableMetadata table = start.table;
    double perEntry = (double) table.fileBytes() / Math.max(1, table.entries());
    double worth =
        table.fileBytes() + 2 * perEntry * table.deletions() + table.ranges().coveredBytes();
    return start.level == Levels.LAST
        ? 0
        : Levels.bytes(levels.overlapping(start.level + 1, table.smallest(), table.largest()))
            / worth;
  }

  /** With neighbours that meet nothing more of the next level, as far as the job stays bounded. */
  private Compaction grown(Situation now, Compaction picked, Set<Long> busy) {
    if (picked.overlapped().isEmpty() || picked.level() == picked.outputLevel()) {
      return picked;
    }
    List<TableMetadata> near =
        now.levels()
            .overlapping(
                picked.level(),
                KeyRange.smallest(picked.overlapped()),
                KeyRange.largest(picked.overlapped()));
    if (near.size() <= picked.inputs().size()) {
      return picked;
    }
    Compaction larger = down(now.levels(), picked.level(), near, picked.reason());
    boolean free = larger.overlapped().size() == picked.overlapped().size();
    return free && larger.bytes() <= options.maxJobBytes() && !now.conflicts(larger, busy)
        ? larger
        : picked;
  }
}
