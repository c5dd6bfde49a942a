package io.silkkv.engine.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.silkkv.engine.api.Slice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class BloomFilterTest {
  private static Slice key(String prefix, int number) {
    return Slice.utf8(prefix + number);
  }

  private static Slice filterOf(int keys, int bitsPerKey) {
    BloomFilter.Builder builder = new BloomFilter.Builder(bitsPerKey);
    for (int i = 0; i < keys; i++) {
      builder.add(key("user", i));
    }
    ByteSink sink = new ByteSink(16);
    long size = builder.sizeBytes();
    builder.finish(sink);
    assertThat(sink.size()).isEqualTo((int) size);
    assertThat(builder.isEmpty()).isTrue();
    return Slice.wrap(sink.array(), 0, sink.size());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 100, 5000})
  void everyAddedKeyPasses(int keys) {
    Slice filter = filterOf(keys, 10);
    for (int i = 0; i < keys; i++) {
      assertThat(BloomFilter.mayContain(filter, BloomFilter.hash(key("user", i)))).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({"5, 0.12", "10, 0.013", "16, 0.002"})
  void fewAbsentKeysPass(int bitsPerKey, double most) {
    Slice filter = filterOf(100_000, bitsPerKey);
    int passed = 0;
    for (int i = 0; i < 200_000; i++) {
      passed += BloomFilter.mayContain(filter, BloomFilter.hash(key("absent", i))) ? 1 : 0;
    }

    assertThat(passed / 200_000.0).isLessThan(most);
  }

  @Test
  void keysThatDifferOnlyInTrailingZerosHashDifferently() {
    assertThat(BloomFilter.hash(Slice.wrap(new byte[3])))
        .isNotEqualTo(BloomFilter.hash(Slice.wrap(new byte[4])));
  }

  @Test
  void theHashIsPartOfTheFormat() {
    assertThat(BloomFilter.hash(Slice.EMPTY)).isEqualTo(0xe220a8397b1dcdafL);
    assertThat(BloomFilter.hash(Slice.utf8("a"))).isEqualTo(0x3e506e5796335af0L);
    assertThat(BloomFilter.hash(Slice.utf8("a key of 19 letters"))).isEqualTo(0x026f93970b4de450L);
  }

  @Test
  void theHashIsOfTheSliceAlone() {
    Slice padded = Slice.utf8("..user1234567..").slice(2, 11);

    assertThat(BloomFilter.hash(padded)).isEqualTo(BloomFilter.hash(Slice.utf8("user1234567")));
  }

  @Test
  void whatIsNoFilterIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BloomFilter.mayContain(Slice.wrap(new byte[0]), 7));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BloomFilter.mayContain(Slice.wrap(new byte[64]), 7));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BloomFilter.mayContain(Slice.wrap(new byte[65]), 7));
  }
}
