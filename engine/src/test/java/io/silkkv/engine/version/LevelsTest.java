package io.silkkv.engine.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.engine.api.Slice;
import java.util.List;
import org.junit.jupiter.api.Test;

class LevelsTest {
  static TableMetadata table(long number, String from, String to) {
    return new TableMetadata(
        number,
        100,
        10,
        0,
        number * 10,
        number * 10 + 9,
        Slice.utf8(from),
        Slice.utf8(to),
        0,
        0,
        TableMetadata.Ranges.NONE);
  }

  private static VersionEdit add(int level, TableMetadata... tables) {
    return VersionEdit.replace(
        List.of(),
        java.util.Arrays.stream(tables).map(t -> new VersionEdit.Added(level, t)).toList());
  }

  @Test
  void levelZeroIsNewestFirstAndOthersAreByKey() {
    Levels levels =
        Levels.EMPTY
            .apply(add(0, table(1, "a", "z"), table(3, "a", "b"), table(2, "c", "d")))
            .apply(add(1, table(5, "m", "p"), table(4, "a", "c")));
    assertThat(levels.tables(0)).extracting(TableMetadata::number).containsExactly(3L, 2L, 1L);
    assertThat(levels.tables(1)).extracting(TableMetadata::number).containsExactly(4L, 5L);
    assertThat(levels.count()).isEqualTo(5);
    assertThat(levels.bytes(1)).isEqualTo(200);
  }

  @Test
  void editsThatDoNotFitAreRefused() {
    Levels levels = Levels.EMPTY.apply(add(1, table(1, "a", "c")));
    assertThatThrownBy(() -> levels.apply(add(1, table(2, "c", "e"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("tables 1 and 2 overlap on level 1");
    assertThatThrownBy(() -> levels.apply(add(2, table(1, "a", "c"))))
        .hasMessageContaining("listed twice");
    assertThatThrownBy(
            () ->
                levels.apply(
                    VersionEdit.replace(List.of(new VersionEdit.Removed(2, 1)), List.of())))
        .hasMessageContaining("where it is not");
  }

  @Test
  void deeperLevelsAreAskedByRange() {
    Levels levels =
        Levels.EMPTY.apply(add(2, table(1, "b", "d"))).apply(add(4, table(2, "m", "m")));
    assertThat(levels.mayHoldDeeper(1, Slice.utf8("c"))).isTrue();
    assertThat(levels.mayHoldDeeper(2, Slice.utf8("c"))).isFalse();
    assertThat(levels.mayHoldDeeper(1, Slice.utf8("a"))).isFalse();
    assertThat(levels.mayHoldDeeper(1, Slice.utf8("m"))).isTrue();
    assertThat(levels.mayHoldDeeper(4, Slice.utf8("m"))).isFalse();
    assertThat(levels.mayHoldDeeper(0, Slice.utf8("n"))).isFalse();
  }

  @Test
  void liveSequencesCutVersionsIntoStripes() {
    LiveSequences live = LiveSequences.of(20, 10, 20);
    assertThat(live.hides(30, 25)).isTrue();
    assertThat(live.hides(25, 20)).as("the view at 20 sees 20").isFalse();
    assertThat(live.hides(21, 15)).isFalse();
    assertThat(live.hides(20, 15)).as("the view at 20 sees 20, not 15").isTrue();
    assertThat(live.hides(11, 10)).isFalse();
    assertThat(live.hides(9, 3)).isTrue();
    assertThat(live.noneBelow(10)).isTrue();
    assertThat(live.noneBelow(11)).isFalse();
    assertThat(LiveSequences.NONE.hides(2, 1)).isTrue();
    assertThat(LiveSequences.NONE.noneBelow(Long.MAX_VALUE)).isTrue();
  }
}
