package io.silkkv.engine.base;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

final class Crc32cTest {
  @Test
  void isTheCastagnoliChecksum() {
    byte[] digits = "123456789".getBytes(US_ASCII);

    assertThat(Crc32c.of(digits, 0, digits.length)).isEqualTo(0xe3069283);
    assertThat(Crc32c.of(ByteBuffer.wrap(digits))).isEqualTo(0xe3069283);
  }

  @Test
  void aRunOfZerosIsNotItsOwnChecksum() {
    assertThat(Crc32c.of(new byte[32], 0, 32)).isNotZero();
  }

  @Test
  void aBufferKeepsItsPosition() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(16).position(3);

    assertThat(Crc32c.of(buffer)).isEqualTo(Crc32c.of(new byte[13], 0, 13));
    assertThat(buffer.position()).isEqualTo(3);
  }
}
