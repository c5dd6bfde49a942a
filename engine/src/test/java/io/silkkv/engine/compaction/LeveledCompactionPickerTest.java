package io.silkkv.engine.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.version.Levels;
import io.silkkv.engine.version.TableMetadata;
import io.silkkv.engine.version.VersionEdit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LeveledCompactionPickerTest {
  private final LeveledCompactionPicker picker =
      new LeveledCompactionPicker(new CompactionOptions(4, 1000, 10, 100));
  private final List<VersionEdit.Added> added = new ArrayList<>();
  private long lastNumber;

  private long table(int level, String from, String to, long bytes) {
    long number = ++lastNumber;
    added.add(
        new VersionEdit.Added(
            level,
            new TableMetadata(
                number, bytes, 1, 0, number, number, Slice.utf8(from), Slice.utf8(to))));
    return number;
  }

  private Levels levels() {
    return Levels.EMPTY.apply(VersionEdit.replace(List.of(), added));
  }

  private static List<Long> numbers(List<TableMetadata> tables) {
    return tables.stream().map(TableMetadata::number).toList();
  }

  @Test
  void nothingIsPickedBelowTheTargets() {
    table(0, "a", "z", 100);
    table(0, "a", "z", 100);
    table(0, "a", "z", 100);
    table(1, "a", "z", 999);
    assertThat(picker.pickL0(levels(), Set.of())).isEmpty();
    assertThat(picker.pickDeep(levels(), Set.of())).isEmpty();
  }

  @Test
  void levelZeroTakesTheOldestAndAllThatItMeetsThroughOthers() {
    long oldest = table(0, "a", "c", 10);
    long apart = table(0, "x", "z", 10);
    long second = table(0, "c", "e", 10);
    long third = table(0, "e", "g", 10);
    table(1, "p", "q", 10);
    long met = table(1, "f", "h", 10);
    Compaction picked = picker.pickL0(levels(), Set.of()).orElseThrow();
    assertThat(numbers(picked.inputs()))
        .containsExactly(third, second, oldest)
        .doesNotContain(apart);
    assertThat(numbers(picked.overlapped())).containsExactly(met);
    assertThat(picked.isMove()).isFalse();
  }

  @Test
  void fullLevelZeroGivesItsOldestTablesOnlySoThatWritesGoOnSoon() {
    List<Long> newestFirst = new ArrayList<>();
    for (int i = 0; i < 36; i++) {
      newestFirst.add(0, table(0, "a", "z", 250));
    }
    Compaction picked = picker.pickL0(levels(), Set.of()).orElseThrow();
    assertThat(numbers(picked.inputs())).containsExactlyElementsOf(newestFirst.subList(32, 36));
  }

  @Test
  void levelZeroOfSmallTablesGivesAsManyAsFillLevelOne() {
    List<Long> newestFirst = new ArrayList<>();
    for (int i = 0; i < 36; i++) {
      newestFirst.add(0, table(0, "a", "z", 100));
    }
    Compaction picked = picker.pickL0(levels(), Set.of()).orElseThrow();
    assertThat(numbers(picked.inputs())).containsExactlyElementsOf(newestFirst.subList(26, 36));
  }

  @Test
  void levelZeroIsAlsoPickedForItsSizeButNotForOneTableAlone() {
    table(0, "a", "z", 600);
    assertThat(picker.pickL0(levels(), Set.of())).isEmpty();
    table(0, "a", "z", 600);
    assertThat(picker.pickL0(levels(), Set.of())).isPresent();
  }

  @Test
  void levelZeroWaitsForABusyTable() {
    for (int i = 0; i < 4; i++) {
      table(0, "a", "z", 10);
    }
    long busy = table(1, "m", "n", 10);
    assertThat(picker.pickL0(levels(), Set.of(busy))).isEmpty();
    assertThat(picker.pickL0(levels(), Set.of())).isPresent();
  }

  @Test
  void deepLevelGivesTheTableThatIsCheapestToMove() {
    table(1, "a", "c", 600);
    long cheap = table(1, "d", "f", 600);
    table(2, "a", "b", 3000);
    long met = table(2, "e", "k", 500);
    Compaction picked = picker.pickDeep(levels(), Set.of()).orElseThrow();
    assertThat(numbers(picked.inputs())).containsExactly(cheap);
    assertThat(numbers(picked.overlapped())).containsExactly(met);
  }

  @Test
  void busyTablesAreLeftAlone() {
    long first = table(1, "a", "c", 1200);
    long second = table(1, "d", "f", 1200);
    long met = table(2, "a", "b", 10);
    assertThat(numbers(picker.pickDeep(levels(), Set.of()).orElseThrow().inputs()))
        .containsExactly(second);
    assertThat(numbers(picker.pickDeep(levels(), Set.of(second)).orElseThrow().inputs()))
        .containsExactly(first);
    assertThat(picker.pickDeep(levels(), Set.of(second, met))).isEmpty();
  }

  @Test
  void highestScoreComesFirstAndAnotherLevelWhenItCannotGive() {
    long level1 = table(1, "a", "c", 1500);
    long level2 = table(2, "p", "q", 30_000);
    assertThat(numbers(picker.pickDeep(levels(), Set.of()).orElseThrow().inputs()))
        .containsExactly(level2);
    assertThat(numbers(picker.pickDeep(levels(), Set.of(level2)).orElseThrow().inputs()))
        .containsExactly(level1);
  }

  @Test
  void levelOneWaitsWhileLevelZeroNeedsItMore() {
    for (int i = 0; i < 8; i++) {
      table(0, "a", "z", 10);
    }
    table(1, "a", "c", 1500);
    assertThat(picker.pickDeep(levels(), Set.of())).isEmpty();
    table(1, "d", "e", 1500);
    assertThat(picker.pickDeep(levels(), Set.of())).isPresent();
  }

  @Test
  void lastLevelMayHaveAnySize() {
    table(6, "a", "z", Long.MAX_VALUE / 2);
    assertThat(picker.pickDeep(levels(), Set.of())).isEmpty();
  }
}
