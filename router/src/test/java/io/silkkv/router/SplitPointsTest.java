package io.silkkv.router;

import static io.silkkv.router.TestMaps.keys;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.util.List;
import org.junit.jupiter.api.Test;

class SplitPointsTest {
  @Test
  void evenSplitsCutBase36Text() {
    assertThat(SplitPoints.evenly(1)).isEmpty();
    assertThat(SplitPoints.evenly(2)).isEqualTo(keys("i"));
    assertThat(SplitPoints.evenly(4)).isEqualTo(keys("9", "i", "r"));
    assertThat(SplitPoints.evenly(36)).hasSize(35).contains(ByteString.copyFromUtf8("z"));
  }

  @Test
  void everyAllowedNumberOfShardsMakesAValidMap() {
    for (int shards = 1; shards <= 1296; shards++) {
      List<ByteString> points = SplitPoints.evenly(shards);
      SplitPoints.check(points);
      assertThat(points).hasSize(shards - 1);
    }
  }

  @Test
  void anImpossibleNumberOfShardsIsRefused() {
    assertThatThrownBy(() -> SplitPoints.evenly(0))
        .hasMessageContaining("1 to 1296 shards, not with 0");
    assertThatThrownBy(() -> SplitPoints.evenly(1297)).hasMessageContaining("not with 1297");
  }

  @Test
  void givenSplitPointsAreSortedAndUnescaped() {
    assertThat(SplitPoints.parse(List.of("m", "\\xff\\x00", "a\\\\")))
        .isEqualTo(keys("a\\\\", "m", "\\xff\\x00"));
    assertThat(KeyText.parse("\\xe9\u00e9").toByteArray()).containsExactly(0xe9, 0xc3, 0xa9);
  }

  @Test
  void badSplitPointsAreRefused() {
    assertThatThrownBy(() -> SplitPoints.parse(List.of("a", "a")))
        .hasMessageContaining("split points must increase, but \"a\" follows \"a\"");
    assertThatThrownBy(() -> SplitPoints.parse(List.of("")))
        .hasMessageContaining("must not be empty");
    assertThatThrownBy(() -> SplitPoints.parse(List.of("ab\\q")))
        .hasMessageContaining("bad escape at character 3 of key text 'ab\\q'");
    assertThatThrownBy(() -> SplitPoints.parse(List.of("\\x1")))
        .hasMessageContaining("two hex digits");
  }
}
