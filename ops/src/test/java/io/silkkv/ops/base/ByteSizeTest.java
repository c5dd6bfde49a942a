package io.silkkv.ops.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1024, 1024",
    "7b, 7",
    "2GB, 2000000000",
    "64MiB, 67108864",
    "64 mib, 67108864",
    "1.5kB, 1500",
    "3GiB, 3221225472",
  })
  void sizesCountInThousandsOrIn1024s(String text, long bytes) {
    assertThat(ByteSize.parse("--x", text)).isEqualTo(bytes);
  }

  @Test
  void aRateMaySaySo() {
    assertThat(ByteSize.parseRate("--x", "200MB/s")).isEqualTo(200_000_000);
    assertThat(ByteSize.parseRate("--x", "200MB")).isEqualTo(200_000_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "MB", "-1MB", "2XB", "1e9", "200MB/s", "99999999999GB"})
  void whatIsNoSizeIsRefusedWithAnExample(String text) {
    assertThatThrownBy(() -> ByteSize.parse("--x", text))
        .isInstanceOf(OpsException.class)
        .hasMessageContaining("--x: '" + text + "' is not a size")
        .hasMessageContaining("64MiB");
  }

  @ParameterizedTest
  @CsvSource({"0, 0B", "999, 999B", "1500, 1.5KB", "2000000000, 2GB", "5000000000000, 5000GB"})
  void theTextIsShort(long bytes, String text) {
    assertThat(ByteSize.text(bytes)).isEqualTo(text);
  }
}
