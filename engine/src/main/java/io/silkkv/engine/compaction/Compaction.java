package io.silkkv.engine.compaction;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.version.Levels;
import io.silkkv.engine.version.TableMetadata;
import java.util.ArrayList;
import java.util.List;

/**
 * Tables to merge, and where the result goes: into a deeper level, or back to the same one (a merge
 * within level 0, or a table of the last level that is written anew without its deletions).
 *
 * @param shape the tree for which this was picked
 * @param level where the inputs are
 * @param outputLevel where the result goes
 * @param inputs tables of {@code level}
 * @param overlapped tables of a deeper output level whose range the inputs meet; merged with them
 * @param reason why it was picked
 */
public record Compaction(
    Levels shape,
    int level,
    int outputLevel,
    List<TableMetadata> inputs,
    List<TableMetadata> overlapped,
    Reason reason) {

  /** What makes a compaction worth its cost. */
  public enum Reason {
    /** The level has more tables or bytes than it should. */
    SIZE,
    /** Too many tables on level 0, and the base level cannot take them yet. */
    L0_COUNT,
    /** A table consists of deletions for the most part. */
    TOMBSTONES,
    /** A table holds old data. */
    AGE
  }

  public Compaction {
    inputs = List.copyOf(inputs);
    overlapped = List.copyOf(overlapped);
    if (inputs.isEmpty()) {
      throw new IllegalArgumentException("a compaction needs a table to start from");
    }
  }

  /** Tables of both levels. */
  List<TableMetadata> tables() {
    List<TableMetadata> all = new ArrayList<>(inputs);
    all.addAll(overlapped);
    return all;
  }

  /** Size of both. */
  long bytes() {
    return Levels.bytes(inputs) + Levels.bytes(overlapped);
  }

  /** The first key that the result may have. */
  Slice smallest() {
    return KeyRange.smallest(tables());
  }

  /** The last key that the result may have. */
  Slice largest() {
    return KeyRange.largest(tables());
  }

  /** Whether two jobs at the same time could put overlapping tables on one level. */
  boolean outputsMayMeet(Compaction other) {
    return outputLevel == other.outputLevel
        && outputLevel > 0
        && smallest().compareTo(other.largest()) <= 0
        && largest().compareTo(other.smallest()) >= 0;
  }

  /**
   * Whether the tables can change their level without being rewritten: they meet nothing there, not
   * so much below that moving them on would be a huge job, and no deletion could be dropped.
   *
   * @param maxGrandparentBytes bytes of the level below that a table may meet
   */
  boolean isMove(long maxGrandparentBytes) {
    return outputLevel != level
        && overlapped.isEmpty()
        && (level > 0 || inputs.size() == 1)
        && inputs.stream().allMatch(table -> canMove(table, maxGrandparentBytes));
  }

  private boolean canMove(TableMetadata table, long maxGrandparentBytes) {
    boolean keepsDeletions =
        !table.hasDeletions()
            || shape.mayHoldDeeper(outputLevel, table.smallest(), table.largest());
    return keepsDeletions
        && (outputLevel == Levels.LAST
            || Levels.bytes(shape.overlapping(outputLevel + 1, table.smallest(), table.largest()))
                <= maxGrandparentBytes);
  }
}
