package io.silkkv.engine.compaction;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.version.Levels;
import io.silkkv.engine.version.TableMetadata;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Chooses what to compact. Each level has a score, 1 or more when it should shrink: level 0 by
 * number and size of its tables, deeper levels by their size against their target. Of a deep level
 * the table is chosen that meets the fewest bytes of the next level for its own size, because that
 * moves the most for the least work. Keeps no state: the same shape leads to the same choice.
 */
public final class LeveledCompactionPicker {
  private final CompactionOptions options;

  public LeveledCompactionPicker(CompactionOptions options) {
    this.options = options;
  }

  /** How urgently a level should shrink. Tables that are being compacted do not count. */
  public double score(Levels levels, int level, Set<Long> busy) {
    List<TableMetadata> idle = levels.tables(level).stream().filter(t -> isIdle(t, busy)).toList();
    double bytes = idle.stream().mapToLong(TableMetadata::fileBytes).sum();
    if (level == 0) {
      double byCount = (double) idle.size() / options.l0Trigger();
      // Size alone must not merge a single large table again and again.
      return idle.size() < 2 ? byCount : Math.max(byCount, bytes / options.levelBaseBytes());
    }
    return bytes / options.targetBytes(level);
  }

  /**
   * Level 0 into level 1: the oldest table and all that it overlaps with, directly or through
   * others, among the oldest tables that make up a job of reasonable size. Newer tables may stay
   * although they overlap, because they stay above the output; taking them all would let writes
   * that wait for a smaller level 0 wait until everything is merged.
   *
   * @param busy numbers of tables that another compaction uses
   * @return empty when the level is small enough, or a table that is needed is busy
   */
  public Optional<Compaction> pickL0(Levels levels, Set<Long> busy) {
    if (score(levels, 0, busy) < 1) {
      return Optional.empty();
    }
    List<TableMetadata> oldest = oldest(levels.tables(0));
    List<TableMetadata> inputs = List.of(oldest.get(oldest.size() - 1));
    boolean grown = true;
    while (grown) {
      Slice first = smallest(inputs);
      Slice last = largest(inputs);
      List<TableMetadata> met = oldest.stream().filter(t -> t.overlaps(first, last)).toList();
      grown = met.size() > inputs.size();
      inputs = met;
    }
    return withNextLevel(levels, 0, inputs, busy);
  }

  /** As many of the oldest as would start a job by their number and fill level 1 by their size. */
  private List<TableMetadata> oldest(List<TableMetadata> newestFirst) {
    int from = newestFirst.size();
    long bytes = 0;
    while (from > 0
        && (newestFirst.size() - from < options.l0Trigger() || bytes < options.levelBaseBytes())) {
      from--;
      bytes += newestFirst.get(from).fileBytes();
    }
    return newestFirst.subList(from, newestFirst.size());
  }

  /**
   * A level deeper than 0 into the next: the level with the highest score that has a table to give.
   * Level 1 waits while level 0 needs it more, because both need its tables.
   *
   * @param busy numbers of tables that another compaction uses
   */
  public Optional<Compaction> pickDeep(Levels levels, Set<Long> busy) {
    double l0 = score(levels, 0, busy);
    return IntStream.range(1, Levels.COUNT - 1)
        .boxed()
        .filter(level -> score(levels, level, busy) >= 1)
        .filter(level -> level > 1 || l0 < 1 || score(levels, 1, busy) > l0)
        .sorted(Comparator.comparingDouble(level -> -score(levels, level, busy)))
        .map(level -> cheapest(levels, level, busy))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<Compaction> cheapest(Levels levels, int level, Set<Long> busy) {
    return levels.tables(level).stream()
        .map(table -> withNextLevel(levels, level, List.of(table), busy))
        .flatMap(Optional::stream)
        .min(Comparator.comparingDouble(LeveledCompactionPicker::cost));
  }

  /** Bytes to rewrite on the next level for each byte that moves there. */
  private static double cost(Compaction compaction) {
    double overlapped = compaction.overlapped().stream().mapToLong(TableMetadata::fileBytes).sum();
    return overlapped / compaction.inputs().get(0).fileBytes();
  }

  private static Optional<Compaction> withNextLevel(
      Levels levels, int level, List<TableMetadata> inputs, Set<Long> busy) {
    List<TableMetadata> overlapped =
        levels.overlapping(level + 1, smallest(inputs), largest(inputs));
    Compaction compaction = new Compaction(levels, level, inputs, overlapped);
    return compaction.tables().stream().allMatch(table -> isIdle(table, busy))
        ? Optional.of(compaction)
        : Optional.empty();
  }

  private static boolean isIdle(TableMetadata table, Set<Long> busy) {
    return !busy.contains(table.number());
  }

  private static Slice smallest(List<TableMetadata> tables) {
    return tables.stream()
        .map(TableMetadata::smallest)
        .min(Comparator.naturalOrder())
        .orElseThrow();
  }

  private static Slice largest(List<TableMetadata> tables) {
    return tables.stream().map(TableMetadata::largest).max(Comparator.naturalOrder()).orElseThrow();
  }
}
