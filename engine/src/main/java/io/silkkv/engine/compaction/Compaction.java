package io.silkkv.engine.compaction;

import io.silkkv.engine.version.Levels;
import io.silkkv.engine.version.TableMetadata;
import java.util.ArrayList;
import java.util.List;

/**
 * Tables to merge into the next level.
 *
 * @param shape the tree for which this was picked
 * @param level where the inputs are
 * @param inputs tables of that level
 * @param overlapped tables of the next level whose range the inputs meet; merged with them
 */
public record Compaction(
    Levels shape, int level, List<TableMetadata> inputs, List<TableMetadata> overlapped) {

  public Compaction {
    inputs = List.copyOf(inputs);
    overlapped = List.copyOf(overlapped);
    if (inputs.isEmpty()) {
      throw new IllegalArgumentException("a compaction needs a table to start from");
    }
  }

  int outputLevel() {
    return level + 1;
  }

  /** Whether the table can change its level without being rewritten. */
  boolean isMove() {
    return inputs.size() == 1 && overlapped.isEmpty();
  }

  /** Tables of both levels. */
  List<TableMetadata> tables() {
    List<TableMetadata> all = new ArrayList<>(inputs);
    all.addAll(overlapped);
    return all;
  }
}
