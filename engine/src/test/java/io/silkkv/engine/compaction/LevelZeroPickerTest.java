package io.silkkv.engine.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.compaction.Compaction.Reason;
import io.silkkv.engine.version.TableMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LevelZeroPickerTest {
  private final LevelZeroPicker picker = new LevelZeroPicker(Tree.OPTIONS);
  private final Tree tree = new Tree();

  private Compaction pick(Situation now) {
    return picker.pick(now).job().orElseThrow();
  }

  private Situation now() {
    return Situation.of(tree.levels());
  }

  @Test
  void nothingIsPickedBelowTheTrigger() {
    tree.table(0, "a", "z", 100);
    tree.table(0, "a", "z", 100);
    tree.table(0, "a", "z", 100);
    assertThat(picker.pick(now()).job()).isEmpty();
    assertThat(picker.pick(now()).inTheWay()).isEmpty();
  }

  @Test
  void oldestGoesWithAllThatItMeetsThroughOthers() {
    long oldest = tree.table(0, "a", "c", 10);
    long apart = tree.table(0, "x", "z", 10);
    long second = tree.table(0, "c", "e", 10);
    long third = tree.table(0, "e", "g", 10);
    tree.table(6, "p", "q", 10);
    long met = tree.table(6, "f", "h", 10);
    Compaction picked = pick(now());
    assertThat(Tree.numbers(picked.inputs()))
        .containsExactly(third, second, oldest)
        .doesNotContain(apart);
    assertThat(Tree.numbers(picked.overlapped())).containsExactly(met);
    assertThat(picked.outputLevel()).isEqualTo(6);
    assertThat(picked.isMove(Long.MAX_VALUE)).isFalse();
  }

  @Test
  void resultGoesToTheBaseLevelOverLevelsThatAreEmpty() {
    for (int i = 0; i < 4; i++) {
      tree.table(0, "0", "9", 10);
    }
    tree.filled(6, 200);
    assertThat(pick(now()).outputLevel()).isEqualTo(4);
    tree.table(3, "5", "6", 10);
    assertThat(pick(now()).outputLevel()).as("never over a table").isEqualTo(3);
  }

  @Test
  void fullLevelZeroGivesItsOldestTablesOnlySoThatWritesGoOnSoon() {
    List<Long> newestFirst = new ArrayList<>();
    for (int i = 0; i < 36; i++) {
      newestFirst.add(0, tree.table(0, "a", "z", 250));
    }
    assertThat(Tree.numbers(pick(now()).inputs()))
        .containsExactlyElementsOf(newestFirst.subList(32, 36));
  }

  @Test
  void smallTablesComeInAsManyAsFillTheBaseLevel() {
    List<Long> newestFirst = new ArrayList<>();
    for (int i = 0; i < 36; i++) {
      newestFirst.add(0, tree.table(0, "a", "z", 100));
    }
    assertThat(Tree.numbers(pick(now()).inputs()))
        .containsExactlyElementsOf(newestFirst.subList(26, 36));
  }

  @Test
  void sizeAloneIsAReasonTooButNotForOneTable() {
    tree.table(0, "a", "z", 600);
    assertThat(picker.pick(now()).job()).isEmpty();
    tree.table(0, "a", "z", 600);
    assertThat(picker.pick(now()).job()).isPresent();
  }

  @Test
  void tableOfDeletionsGoesAloneBelowTheTrigger() {
    tree.table(0, "a", "c", 100);
    long dense = tree.table(0, "x", "z", 100, 5, 0);
    tree.table(0, "a", "c", 100, 4, 0);
    Compaction picked = pick(now());
    assertThat(Tree.numbers(picked.inputs())).containsExactly(dense);
    assertThat(picked.reason()).isEqualTo(Reason.TOMBSTONES);
  }

  @Test
  void oldTableGoesAloneBelowTheTrigger() {
    long old = tree.table(0, "a", "c", 100, 0, 500);
    assertThat(picker.pick(Tree.at(tree.levels(), 1499)).job()).isEmpty();
    Compaction picked = pick(Tree.at(tree.levels(), 1500));
    assertThat(Tree.numbers(picked.inputs())).containsExactly(old);
    assertThat(picked.reason()).isEqualTo(Reason.AGE);
  }

  @Test
  void jobsThatAreApartRunSideBySide() {
    for (int i = 0; i < 4; i++) {
      tree.table(0, "a", "c", 100);
      tree.table(0, "x", "z", 100);
    }
    tree.table(6, "b", "d", 100);
    tree.table(6, "w", "y", 100);
    Compaction first = pick(now());
    Compaction second = pick(Tree.running(now(), first));
    assertThat(first.tables()).doesNotContainAnyElementsOf(second.tables());
    assertThat(first.outputsMayMeet(second)).isFalse();
    assertThat(picker.pick(Tree.running(now(), first, second)).job()).isEmpty();
  }

  @Test
  void newerTableNeverPassesAnOlderOneThatItMeets() {
    for (int i = 0; i < 4; i++) {
      tree.table(0, "a", "m", 250);
    }
    Compaction first = pick(now());
    for (int i = 0; i < 4; i++) {
      tree.table(0, "k", "z", 250);
    }
    LevelZeroPicker.Choice choice = picker.pick(Tree.running(now(), first));
    assertThat(choice.job().filter(job -> job.outputLevel() > 0)).isEmpty();
  }

  @Test
  void tableBetweenTheInputsOfARunningJobWaitsForItsResult() {
    tree.table(0, "a", "b", 100);
    tree.table(0, "a", "z", 100);
    tree.table(0, "y", "z", 100);
    tree.table(0, "a", "b", 100);
    // Its inputs span a to z, and its result may be one table over all of that.
    Compaction first = pick(now());
    for (int i = 0; i < 4; i++) {
      tree.table(0, "m", "n", 300);
    }
    LevelZeroPicker.Choice choice = picker.pick(Tree.running(now(), first));
    assertThat(choice.job()).isEmpty();
    assertThat(choice.inTheWay()).containsExactly(first);
  }

  @Test
  void deeperJobInTheWayIsNamed() {
    for (int i = 0; i < 4; i++) {
      tree.table(0, "0", "9", 10);
    }
    tree.filled(5, 12).filled(6, 90);
    DeepPicker deeper = new DeepPicker(Tree.OPTIONS);
    Compaction deep = deeper.pick(now(), false).orElseThrow().compaction();
    LevelZeroPicker.Choice choice = picker.pick(Tree.running(now(), deep));
    assertThat(choice.job()).as("too few tables for a merge within level 0").isEmpty();
    assertThat(choice.inTheWay()).containsExactly(deep);
  }

  /** facebook/rocksdb#10903: merges within level 0 kept the way to the base level shut. */
  @Test
  void mergeWithinLevelZeroLeavesTheTablesThatTheNextJobBeginsWith() {
    for (int i = 0; i < 20; i++) {
      tree.table(0, "a", "z", 300);
    }
    Situation now = now();
    Compaction toBase = pick(now);
    Compaction merge = pick(Tree.running(now, toBase));
    assertThat(merge.outputLevel()).isZero();
    assertThat(merge.reason()).isEqualTo(Reason.L0_COUNT);
    assertThat(merge.bytes()).as("bounded").isLessThanOrEqualTo(2000);
    assertThat(merge.isMove(Long.MAX_VALUE)).isFalse();
  }

  @Test
  void mergeWithinLevelZeroNeverDelaysTheWayToTheBaseLevel() {
    for (int i = 0; i < 20; i++) {
      tree.table(0, "a", "z", 50);
    }
    Situation now = now();
    Compaction first = pick(now);
    assertThat(first.inputs()).hasSize(20);
    for (int i = 0; i < 12; i++) {
      tree.table(0, "a", "z", 50);
    }
    now = now();
    Compaction merge = pick(Tree.running(now, first));
    assertThat(merge.outputLevel()).isZero();
    // The first job is done, the merge is not: the next job to the base level can start.
    Set<TableMetadata> gone = Set.copyOf(first.inputs());
    Tree rest = new Tree();
    for (int i = 0; i < 20; i++) {
      rest.table(6, "gone" + (char) ('a' + i), "gone" + (char) ('a' + i), 50);
    }
    for (int i = 0; i < 12; i++) {
      rest.table(0, "a", "z", 50);
    }
    assertThat(gone).hasSize(20);
    Situation later = Tree.running(Situation.of(rest.levels()), merge);
    Compaction next = pick(later);
    assertThat(next.outputLevel()).isEqualTo(6);
    assertThat(next.inputs()).doesNotContainAnyElementsOf(merge.inputs()).hasSize(4);
    assertThat(picker.pick(Tree.running(now, first, merge)).job()).as("one at a time").isEmpty();
  }

  @Test
  void damagedTableIsPassedByOnlyWhereNothingMeetsIt() {
    long damaged = tree.table(0, "a", "c", 300);
    for (int i = 0; i < 4; i++) {
      tree.table(0, "b", "c", 300);
      tree.table(0, "x", "z", 300);
    }
    Situation now = now();
    now = new Situation(now.levels(), List.of(), Set.of(damaged), now.live(), 0, now.passedOver());
    Compaction picked = pick(now);
    assertThat(picked.smallest().toUtf8()).isEqualTo("x");
  }
}
