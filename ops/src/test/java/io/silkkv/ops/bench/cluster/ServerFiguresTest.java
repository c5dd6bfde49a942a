package io.silkkv.ops.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ServerFiguresTest {
  private static final long OWN = ProcessHandle.current().pid();

  @Test
  void processesAreAddedUp() throws Exception {
    ServerFigures one = ServerFigures.read(List.of(OWN));
    ServerFigures two = ServerFigures.read(List.of(OWN, OWN));
    assertThat(two.cpuSeconds()).isGreaterThanOrEqualTo(2 * one.cpuSeconds());
    assertThat(one.cpuSeconds()).isPositive();
    assertThat(two.since(one).cpuSeconds()).isEqualTo(two.cpuSeconds() - one.cpuSeconds());
    if (one.peakRssBytes() > 0) {
      assertThat(one.peakRssBytes()).isGreaterThan(10 << 20);
      assertThat(two.peakRssBytes()).isGreaterThanOrEqualTo(2 * one.peakRssBytes());
    }
  }

  @Test
  void whatAProcessThatIsGoneHasUsedIsUnknown() throws Exception {
    ServerFigures gone = ServerFigures.read(List.of(OWN, (long) Integer.MAX_VALUE));
    assertThat(gone.cpuSeconds()).isNaN();
    assertThat(gone.peakRssBytes()).isEqualTo(-1);
  }
}
