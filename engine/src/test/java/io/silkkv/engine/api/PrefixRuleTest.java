package io.silkkv.engine.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

final class PrefixRuleTest {
  private static final PrefixRule THREE = PrefixRule.length(3);
  private static final PrefixRule SLASH = PrefixRule.upTo((byte) '/');

  private static String of(PrefixRule rule, String key) {
    Slice prefix = rule.of(Slice.utf8(key));
    return prefix == null ? null : prefix.toUtf8();
  }

  private static String ofRange(PrefixRule rule, String lower, String upper) {
    Slice prefix = rule.ofRange(Slice.utf8(lower), Slice.utf8(upper));
    return prefix == null ? null : prefix.toUtf8();
  }

  @Test
  void aPrefixHasAFixedLengthOrEndsWithADelimiter() {
    assertThat(of(THREE, "abcd")).isEqualTo("abc");
    assertThat(of(THREE, "abc")).isEqualTo("abc");
    assertThat(of(THREE, "ab")).isNull();
    assertThat(of(SLASH, "a/b/c")).isEqualTo("a/");
    assertThat(of(SLASH, "/")).isEqualTo("/");
    assertThat(of(SLASH, "ab")).isNull();
    assertThat(of(PrefixRule.NONE, "a/b")).isNull();
  }

  @Test
  void aRangeWithinOnePrefixHasIt() {
    assertThat(ofRange(THREE, "abc", "abd")).isEqualTo("abc");
    assertThat(ofRange(THREE, "abcx", "abcz")).isEqualTo("abc");
    assertThat(ofRange(SLASH, "a/", "a0")).isEqualTo("a/");
    assertThat(ofRange(SLASH, "a/b", "a/c/d")).isEqualTo("a/");
  }

  @Test
  void aRangeOverMoreThanOnePrefixHasNone() {
    assertThat(ofRange(THREE, "abc", "abda")).isNull();
    assertThat(ofRange(THREE, "abc", "abe")).isNull();
    assertThat(ofRange(THREE, "ab", "abc")).isNull();
    assertThat(ofRange(SLASH, "a/b", "a0b")).isNull();
    assertThat(ofRange(SLASH, "a", "a/")).isNull();
    assertThat(ofRange(THREE, "abd", "abc")).isNull();
  }

  @Test
  void theSuccessorOfAPrefixThatEndsWithTheLargestByteIsShorter() {
    Slice lower = Slice.wrap(new byte[] {1, (byte) 0xff});
    PrefixRule two = PrefixRule.length(2);
    assertThat(two.ofRange(lower, Slice.wrap(new byte[] {2}))).isEqualTo(lower);
    assertThat(two.ofRange(lower, Slice.wrap(new byte[] {2, 0}))).isNull();
    Slice last = Slice.wrap(new byte[] {(byte) 0xff, (byte) 0xff});
    assertThat(two.ofRange(last, Slice.wrap(new byte[] {(byte) 0xff, (byte) 0xff, 1})))
        .isEqualTo(last);
  }

  @Test
  void codesLeadBackToTheirRules() {
    for (PrefixRule rule :
        List.of(
            PrefixRule.NONE, THREE, SLASH, PrefixRule.length(255), PrefixRule.upTo((byte) -1))) {
      assertThat(PrefixRule.ofCode(rule.code())).isEqualTo(rule);
    }
    for (long code : new long[] {-1, 1, 255, 256, 768, 1L << 40}) {
      assertThatIllegalArgumentException().isThrownBy(() -> PrefixRule.ofCode(code));
    }
  }
}
