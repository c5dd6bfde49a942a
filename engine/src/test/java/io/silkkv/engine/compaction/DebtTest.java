package io.silkkv.engine.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.version.Levels;
import org.junit.jupiter.api.Test;

class DebtTest {
  private static long debt(Levels levels) {
    return Debt.bytes(levels, LevelTargets.of(levels, Tree.OPTIONS), Tree.OPTIONS);
  }

  private static Levels tree(int level0, int level4, int level5, int level6) {
    Tree tree = new Tree().filled(4, level4).filled(5, level5).filled(6, level6);
    for (int i = 0; i < level0; i++) {
      tree.table(0, "0000", "9999", 100);
    }
    return tree.levels();
  }

  @Test
  void settledTreeHasNone() {
    assertThat(debt(Levels.EMPTY)).isZero();
    assertThat(debt(tree(3, 10, 20, 200))).isZero();
  }

  @Test
  void whatIsTooMuchMovesAndRewritesWhatItMeets() {
    // Level 5 may have 2000 of its 2500 bytes; each byte meets 20,000 / 2500 = 8 on level 6.
    assertThat(debt(tree(0, 0, 25, 200))).isEqualTo(500 * (1 + 8));
  }

  @Test
  void whatMovesDownMayBeTooMuchThereAgain() {
    // 500 too much on level 4 meet 2000 / 1500 each, then all 500 go on from a full level 5.
    long first = (long) (500 * (1 + 2000.0 / 1500));
    long second = (long) (500 * (1 + 20_000.0 / 2500));
    assertThat(debt(tree(0, 15, 20, 200))).isBetween(first + second - 1, first + second + 1);
  }

  @Test
  void eachTableOfLevelZeroBeyondThoseThatMayWaitCountsByItself() {
    assertThat(debt(tree(4, 0, 0, 8))).isEqualTo(100 + 100 * 800 / 400);
    long before = 0;
    for (int tables = 4; tables < 40; tables++) {
      long now = debt(tree(tables, 0, 0, 8));
      assertThat(now).isGreaterThan(before).isLessThanOrEqualTo(before + 400);
      before = now;
    }
  }

  /** facebook/rocksdb#9423: minutes of stall when a new base level made the estimate explode. */
  @Test
  void estimateDoesNotJumpWhenTheBaseLevelChanges() {
    // A settled tree grows from one level to three, with a bit too much everywhere and level 0 due.
    Levels levels = grown(500);
    long before = debt(levels);
    int baseChanges = 0;
    for (long bytes = 500; bytes < 200_000; bytes += bytes / 50) {
      Levels next = grown(bytes);
      long now = debt(next);
      if (base(next) != base(levels)) {
        baseChanges++;
      }
      long step = next.bytes(6) - levels.bytes(6);
      assertThat(Math.abs(now - before))
          .as("from %s to %s bytes, base %s to %s", before, now, base(levels), base(next))
          .isLessThanOrEqualTo(12 * step + Tree.OPTIONS.levelBaseBytes() / 2);
      levels = next;
      before = now;
    }
    assertThat(baseChanges).isEqualTo(3);
  }

  private static int base(Levels levels) {
    return LevelTargets.of(levels, Tree.OPTIONS).baseLevel();
  }

  /** A tree with so many bytes on its last level, and the others as full as they may be. */
  private static Levels grown(long bytes) {
    Tree last = new Tree();
    last.table(6, "0000", "9999", bytes);
    LevelTargets targets = LevelTargets.of(last.levels(), Tree.OPTIONS);
    Tree tree = new Tree();
    tree.table(6, "0000", "9999", bytes);
    for (int level = targets.baseLevel(); level < 6; level++) {
      long ideal = (long) (bytes / Math.pow(10, 6 - level));
      tree.table(level, "0000", "9999", Math.max(1, ideal));
    }
    for (int i = 0; i < 5; i++) {
      tree.table(0, "0000", "9999", 100);
    }
    return tree.levels();
  }
}
