package io.silkkv.ops;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StatusCommandTest {
  @Test
  void bytesAreShownWithTheUnitThatFits() {
    assertThat(StatusCommand.bytes(0)).isEqualTo("0B");
    assertThat(StatusCommand.bytes(1_536)).isEqualTo("1.5KiB");
    assertThat(StatusCommand.bytes(64L << 20)).isEqualTo("64MiB");
    assertThat(StatusCommand.bytes(3L << 40)).isEqualTo("3.0TiB");
  }
}
