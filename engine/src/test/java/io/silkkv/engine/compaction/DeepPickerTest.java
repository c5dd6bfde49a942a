package io.silkkv.engine.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.compaction.Compaction.Reason;
import io.silkkv.engine.version.Levels;
import io.silkkv.engine.version.LiveSequences;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DeepPickerTest {
  private final DeepPicker picker = new DeepPicker(Tree.OPTIONS);
  private final Tree tree = new Tree();

  private Situation now() {
    return Situation.of(tree.levels());
  }

  private Compaction pick(Situation now) {
    return picker.pick(now, false).orElseThrow().compaction();
  }

  @Test
  void settledTreeIsLeftAlone() {
    tree.filled(4, 10).filled(5, 20).filled(6, 200);
    assertThat(picker.pick(now(), false)).isEmpty();
  }

  @Test
  void lastLevelMayHaveAnySize() {
    tree.table(6, "a", "z", Long.MAX_VALUE / 2);
    assertThat(picker.pick(now(), false)).isEmpty();
  }

  @Test
  void tableThatIsCheapestToMoveGoesFirst() {
    tree.table(5, "a", "c", 900);
    long cheap = tree.table(5, "d", "f", 900);
    tree.table(6, "a", "b", 3000);
    long met = tree.table(6, "e", "k", 500);
    Compaction picked = pick(now());
    assertThat(Tree.numbers(picked.inputs())).containsExactly(cheap);
    assertThat(Tree.numbers(picked.overlapped())).containsExactly(met);
    assertThat(picked.outputLevel()).isEqualTo(6);
  }

  @Test
  void deletionsMakeATableWorthMore() {
    tree.table(5, "a", "c", 900, 0, 0);
    long dense = tree.table(5, "d", "f", 900, 4, 0);
    tree.table(6, "a", "b", 500);
    tree.table(6, "e", "k", 600);
    assertThat(Tree.numbers(pick(now()).inputs())).containsExactly(dense);
  }

  @Test
  void levelThatIsMostOverItsTargetComesFirstButNotIntoAFullOne() {
    // Level 4 is 3 times its target, level 5 twice.
    tree.filled(4, 30).filled(5, 40).filled(6, 200);
    assertThat(pick(now()).level()).as("what moves into level 5 must move on").isEqualTo(5);
    Tree other = new Tree().filled(4, 30).filled(5, 22).filled(6, 200);
    assertThat(pick(Situation.of(other.levels())).level()).isEqualTo(4);
  }

  @Test
  void unnecessaryLevelIsDrainedWhenNothingElseIsDue() {
    Tree shrunk = new Tree().filled(3, 2).filled(5, 12).filled(6, 90);
    assertThat(pick(Situation.of(shrunk.levels())).level()).isEqualTo(5);
    Tree settled = new Tree().filled(3, 2).filled(5, 9).filled(6, 90);
    Compaction drain = pick(Situation.of(settled.levels()));
    assertThat(drain.level()).isEqualTo(3);
    assertThat(drain.isMove(1000)).isTrue();
  }

  @Test
  void whoIsPassedOverGetsItsTurn() {
    tree.filled(4, 30).filled(5, 21).filled(6, 200);
    List<Integer> passedOver = new ArrayList<>(Collections.nCopies(DeepPicker.REASONS, 0));
    int rounds = 0;
    DeepPicker.Choice choice;
    do {
      Situation now = now();
      choice =
          picker
              .pick(
                  new Situation(
                      now.levels(), List.of(), Set.of(), LiveSequences.NONE, 0, passedOver),
                  false)
              .orElseThrow();
      choice.passedOver().forEach(reason -> passedOver.set(reason, passedOver.get(reason) + 1));
      rounds++;
    } while (choice.reason() == 4 && rounds < 100);
    assertThat(choice.reason()).isEqualTo(5);
    assertThat(rounds).isBetween(2, 30);
  }

  @Test
  void jobsRunSideBySideOnDisjointRanges() {
    tree.filled(5, 30).filled(6, 90);
    Situation now = now();
    List<Compaction> jobs = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Compaction next = pick(now);
      for (Compaction other : jobs) {
        assertThat(next.outputsMayMeet(other)).isFalse();
        assertThat(next.tables()).doesNotContainAnyElementsOf(other.tables());
      }
      jobs.add(next);
      now = Tree.running(now, next);
    }
  }

  @Test
  void baseLevelIsLeftToLevelZeroThatWaitsForIt() {
    tree.filled(4, 15).filled(5, 25).filled(6, 200);
    Compaction picked = picker.pick(now(), true).orElseThrow().compaction();
    assertThat(picked.level()).isEqualTo(5);
    Tree base = new Tree().filled(5, 15).filled(6, 90);
    assertThat(picker.pick(Situation.of(base.levels()), true)).isEmpty();
  }

  @Test
  void baseLevelThatIsFarTooLargeIsRelieved() {
    tree.filled(5, 20).filled(6, 90);
    assertThat(picker.relief(now(), true)).isEmpty();
    tree.table(5, "x", "y", 100);
    assertThat(picker.relief(now(), true).orElseThrow().level()).isEqualTo(5);
    assertThat(picker.relief(now(), false)).isEmpty();
    tree.table(5, "z", "z", 6000);
    assertThat(picker.relief(now(), false)).isPresent();
    Tree one = new Tree().filled(6, 9);
    assertThat(picker.relief(Situation.of(one.levels()), true)).isEmpty();
  }

  @Test
  void neighboursThatMeetNothingMoreComeAlongWhileTheJobIsBounded() {
    tree.table(5, "b", "c", 500);
    tree.table(5, "d", "e", 500);
    tree.table(5, "f", "g", 500);
    tree.table(6, "a", "k", 900);
    Compaction picked = pick(now());
    assertThat(picked.inputs()).hasSize(3);
    assertThat(picked.bytes()).isLessThanOrEqualTo(Tree.OPTIONS.maxJobBytes());
    Tree large = new Tree();
    large.table(5, "b", "c", 500);
    large.table(5, "d", "e", 500);
    large.table(5, "f", "g", 500);
    large.table(6, "a", "k", 2000);
    assertThat(pick(Situation.of(large.levels())).inputs()).hasSize(1);
  }

  @Test
  void tableOfDeletionsIsCompactedThoughNoLevelIsTooLarge() {
    tree.filled(6, 90);
    long dense = tree.table(5, "0100", "0200", 100, 5, 0);
    tree.table(5, "0300", "0400", 100, 4, 0);
    Compaction picked = pick(now());
    assertThat(Tree.numbers(picked.inputs())).containsExactly(dense);
    assertThat(picked.reason()).isEqualTo(Reason.TOMBSTONES);
  }

  @Test
  void tableWhoseRangeDeletionsCoverMuchIsCompactedToo() {
    tree.filled(6, 90);
    tree.covering(5, "0300", "0400", 100, 49);
    assertThat(picker.pick(now(), false)).isEmpty();
    long covering = tree.covering(5, "0100", "0200", 100, 50);
    assertThat(Tree.numbers(pick(now()).inputs())).containsExactly(covering);
  }

  @Test
  void deletionsOnTheLastLevelGoWhenNoViewNeedsThem() {
    long table = tree.table(6, "a", "z", 100, 1, 0);
    Levels levels = tree.levels();
    Situation held = new Situation(levels, List.of(), Set.of(), LiveSequences.of(5), 0, List.of());
    assertThat(picker.pick(held, false)).isEmpty();
    Compaction picked = pick(now());
    assertThat(Tree.numbers(picked.inputs())).containsExactly(table);
    assertThat(picked.outputLevel()).isEqualTo(6);
    assertThat(picked.isMove(Long.MAX_VALUE)).isFalse();
  }

  @Test
  void oldTableMovesTowardsTheLastLevelAndStaysThere() {
    tree.filled(6, 90);
    long old = tree.table(5, "0100", "0200", 100, 0, 500);
    tree.table(6, "z", "z", 100, 0, 500);
    assertThat(picker.pick(Tree.at(tree.levels(), 1499), false)).isEmpty();
    Compaction picked = pick(Tree.at(tree.levels(), 1500));
    assertThat(Tree.numbers(picked.inputs())).containsExactly(old);
    assertThat(picked.reason()).isEqualTo(Reason.AGE);
  }

  @Test
  void moveIsRefusedWhereItWouldMeetTooMuchBelowOrKeepDeadDeletions() {
    tree.filled(6, 30);
    tree.table(4, "0000", "9999", 100);
    Levels levels = tree.levels();
    Compaction wide = new Compaction(levels, 4, 5, levels.tables(4), List.of(), Reason.SIZE);
    assertThat(wide.isMove(2999)).isFalse();
    assertThat(wide.isMove(3000)).isTrue();
    Tree deletions = new Tree();
    deletions.table(4, "a", "b", 100, 1, 0);
    Levels alone = deletions.levels();
    assertThat(
            new Compaction(alone, 4, 5, alone.tables(4), List.of(), Reason.SIZE)
                .isMove(Long.MAX_VALUE))
        .isFalse();
  }

  @Test
  void outputsEndWhereTheyWouldMeetTooMuchOfTheLevelBelow() {
    tree.filled(6, 30);
    tree.table(4, "0000", "9999", 100);
    Levels levels = tree.levels();
    Compaction compaction = new Compaction(levels, 4, 5, levels.tables(4), List.of(), Reason.SIZE);
    OutputCuts cuts = new OutputCuts(compaction, Tree.OPTIONS);
    int outputs = 1;
    int keys = 0;
    // A small table over the whole range: by size alone it would be one.
    for (int key = 0; key < 10_000; key += 10) {
      if (cuts.before(
          io.silkkv.engine.api.Slice.utf8(String.format("%04d", key)),
          keys == 0 ? 0 : 1 + keys / 100)) {
        outputs++;
        keys = 0;
      }
      keys++;
    }
    assertThat(outputs).as("30 tables below, at most 10 for each").isBetween(3, 4);
  }
}
