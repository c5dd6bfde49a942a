package io.silkkv.engine.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class VarintTest {
  private static List<Long> edges() {
    List<Long> values = new ArrayList<>(List.of(0L, -1L, Long.MIN_VALUE, Long.MAX_VALUE));
    for (int bit = 0; bit < Long.SIZE; bit++) {
      values.add(1L << bit);
      values.add((1L << bit) - 1);
    }
    return values;
  }

  @Test
  void numbersOfAllSizesComeBack() {
    for (long value : edges()) {
      byte[] bytes = new byte[1 + Varint.MAX_BYTES];
      int end = Varint.write(bytes, 1, value);
      ByteBuffer buffer = ByteBuffer.allocate(Varint.MAX_BYTES);
      Varint.write(buffer, value);

      assertThat(end - 1).as("size of %d", value).isEqualTo(Varint.sizeOf(value));
      assertThat(buffer.position()).isEqualTo(Varint.sizeOf(value));
      assertThat(Varint.read(ByteBuffer.wrap(bytes, 1, end - 1))).isEqualTo(value);
      assertThat(Varint.read(buffer.flip())).isEqualTo(value);
    }
  }

  @Test
  void bytesAreAsTheFormatSays() {
    byte[] bytes = new byte[2];
    Varint.write(bytes, 0, 300);

    assertThat(bytes).containsExactly(0xac, 0x02);
  }

  @Test
  void aCutOffNumberIsRefused() {
    ByteBuffer cut = ByteBuffer.wrap(new byte[] {(byte) 0x80, (byte) 0xff});

    assertThatIllegalArgumentException().isThrownBy(() -> Varint.read(cut));
  }

  @Test
  void aNumberOfMoreThan64BitsIsRefused() {
    byte[] tooLong = {-1, -1, -1, -1, -1, -1, -1, -1, -1, 2};

    assertThatIllegalArgumentException().isThrownBy(() -> Varint.read(ByteBuffer.wrap(tooLong)));
  }

  @Test
  void aLengthThatIsNoIntIsRefused() {
    for (long value : new long[] {1L + Integer.MAX_VALUE, -1}) {
      ByteBuffer buffer = ByteBuffer.allocate(Varint.MAX_BYTES);
      Varint.write(buffer, value);
      buffer.flip();

      assertThatIllegalArgumentException().isThrownBy(() -> Varint.readInt(buffer));
    }
  }

  @Test
  void zigZagMakesSmallNumbersOfEitherSignSmall() {
    assertThat(Varint.zigZag(0)).isZero();
    assertThat(Varint.zigZag(-1)).isEqualTo(1);
    assertThat(Varint.zigZag(1)).isEqualTo(2);
    for (long value : edges()) {
      assertThat(Varint.unZigZag(Varint.zigZag(value))).isEqualTo(value);
    }
  }
}
