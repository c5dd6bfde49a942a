package io.silkkv.engine.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.testkit.Seeded;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SeparatorTest {
  @RegisterExtension final Seeded seeded = new Seeded();

  @ParameterizedTest
  @CsvSource({
    "apple, cherry, b",
    "abcdef, abzzzz, abd",
    "abc, abd, abc",
    "abcxyz, abd, abcy",
    "abc, abcd, abc",
    "a, b, a",
  })
  void isShort(String last, String next, String expected) {
    assertThat(Separator.between(Slice.utf8(last), Slice.utf8(next)))
        .isEqualTo(Slice.utf8(expected));
  }

  @Test
  void isNeverBeforeTheLastKeyNorAtTheNext() {
    for (int i = 0; i < 20_000; i++) {
      Slice one = Tables.randomKey(seeded.random());
      Slice other = Tables.randomKey(seeded.random());
      if (one.compareTo(other) < 0) {
        Slice separator = Separator.between(one, other);
        assertThat(separator).isBetween(one, other).isNotEqualTo(other);
        assertThat(separator.length()).isLessThanOrEqualTo(one.length());
      }
    }
  }
}
