package io.silkkv.engine.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.silkkv.engine.version.Levels;
import java.util.List;
import org.junit.jupiter.api.Test;

class LevelTargetsTest {
  private static final CompactionOptions OPTIONS = Tree.OPTIONS;

  private static LevelTargets targets(Tree tree) {
    return LevelTargets.of(tree.levels(), OPTIONS);
  }

  private static Levels withSizes(long level4, long level5, long level6) {
    Tree tree = new Tree();
    long[] sizes = {level4, level5, level6};
    for (int i = 0; i < sizes.length; i++) {
      if (sizes[i] > 0) {
        tree.table(4 + i, "a", "z", sizes[i]);
      }
    }
    return tree.levels();
  }

  @Test
  void smallTreeHasOneLevelBelowLevelZero() {
    assertThat(targets(new Tree()).baseLevel()).isEqualTo(6);
    assertThat(targets(new Tree().filled(6, 10)).baseLevel()).isEqualTo(6);
  }

  @Test
  void levelsAboveTheLastHoldANinthOfIt() {
    LevelTargets targets = LevelTargets.of(withSizes(0, 0, 200_000), OPTIONS);
    assertThat(targets.baseLevel()).isEqualTo(3);
    assertThat(targets.bytes(6)).isInfinite();
    assertThat(targets.bytes(5)).isEqualTo(20_000);
    assertThat(targets.bytes(4)).isEqualTo(2000);
    assertThat(targets.bytes(3)).as("not below the base size").isEqualTo(1000);
    assertThat(targets.bytes(2)).isZero();
  }

  @Test
  void factorOfASingleLevelCanDiffer() {
    CompactionOptions options =
        new CompactionOptions(4, 1000, 10, List.of(0, 0, 0, 0, 4), 100, 2500, 2, 2, 50, 0);
    LevelTargets targets = LevelTargets.of(withSizes(0, 0, 20_000), options);
    assertThat(targets.bytes(5)).isEqualTo(5000);
    assertThat(targets.bytes(4)).isEqualTo(1000);
    assertThat(targets.baseLevel()).isEqualTo(4);
  }

  @Test
  void sizeOfLevelZeroDoesNotMatter() {
    for (int tables = 0; tables < 40; tables++) {
      Tree tree = new Tree().filled(5, 30).filled(6, 200);
      for (int i = 0; i < tables; i++) {
        tree.table(0, "0", "9", 5000);
      }
      LevelTargets targets = targets(tree);
      assertThat(targets.baseLevel()).isEqualTo(4);
      assertThat(targets.bytes(5)).isEqualTo(2000);
    }
  }

  @Test
  void levelThatIsNoLongerNeededLosesItsTargetLittleByLittle() {
    double before = 1000;
    for (long size = 10_000; size >= 0; size -= 50) {
      LevelTargets targets = LevelTargets.of(withSizes(80, 900, size), OPTIONS);
      assertThat(targets.baseLevel()).as("level 4 has a table").isEqualTo(4);
      assertThat(targets.bytes(4)).isLessThanOrEqualTo(before).isCloseTo(before, within(11.0));
      before = targets.bytes(4);
    }
    assertThat(before).isZero();
  }

  @Test
  void targetsHaveNoStepsWhenTheTreeGrowsThroughManySizes() {
    LevelTargets before = LevelTargets.of(withSizes(0, 0, 100), OPTIONS);
    for (double size = 100; size < 1e7; size *= 1.02) {
      LevelTargets now = LevelTargets.of(withSizes(0, 0, (long) size), OPTIONS);
      for (int level = 1; level < 6; level++) {
        assertThat(now.bytes(level))
            .as("level %s at %s bytes", level, size)
            .isCloseTo(before.bytes(level), within(0.05 * Math.max(1000, before.bytes(level))));
      }
      before = now;
    }
    assertThat(before.baseLevel()).isEqualTo(2);
  }
}
