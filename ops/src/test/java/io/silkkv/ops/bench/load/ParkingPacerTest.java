package io.silkkv.ops.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ParkingPacerTest {
  private final Pacer pacer = new ParkingPacer(System::nanoTime);

  @Test
  void itNeverReturnsTooEarly() throws Exception {
    for (long wait : new long[] {-5, 0, 1, 1_000, 30_000, 100_000, 3_000_000}) {
      long until = System.nanoTime() + wait;
      pacer.awaitTime(until);
      assertThat(System.nanoTime() - until).isGreaterThanOrEqualTo(0);
    }
  }

  @Test
  void anInterruptEndsTheWait() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> pacer.awaitTime(System.nanoTime() + 600_000_000_000L))
        .isInstanceOf(InterruptedException.class);
  }
}
