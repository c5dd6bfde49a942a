package io.silkkv.engine.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.testkit.Seeded;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A day of bursts, in seconds: 90 % of the peaks last 10 to 20 s, a few up to 400 s; valleys last 5
 * to 20 s. In a peak, clients use more than half of the volume, in one of five nearly all of it.
 */
class VirtualDayTest {
  private static final long SECOND = 1_000_000_000;

  @RegisterExtension final Seeded seeded = new Seeded();

  @Test
  void compactionsKeepUpAndFlushesWaitForNobody() {
    VirtualTree tree = new VirtualTree();
    long day = 24 * 3_600 * SECOND;
    boolean peak = false;
    while (tree.now() < day) {
      peak = !peak;
      boolean full = seeded.random().nextInt(5) == 0;
      tree.load(peak ? (full ? 19_000_000 : 10_000_000) : 1_500_000, peak ? 250_000 : 50_000);
      tree.runUntil(tree.now() + phase(peak) * SECOND);
    }
    assertThat(tree.flushes).as("flushes").isGreaterThan(1_000);
    assertThat(tree.compactions).as("compactions").isGreaterThan(1_000);
    assertThat(tree.pauses).as("peaks with paused deep compactions").isGreaterThan(100);
    assertThat(tree.mostPending)
        .as("compactions that wait beside those that run")
        .isLessThanOrEqualTo(3);
    assertThat(tree.mostUnflushed)
        .as("memtables that wait or are being flushed")
        .isLessThanOrEqualTo(1);
    assertThat(tree.grantsPastFlush).as("deep requests granted while a flush waited").isZero();
  }

  private int phase(boolean peak) {
    double chance = seeded.random().nextDouble();
    if (peak && chance > 0.98) {
      return 100 + seeded.random().nextInt(300);
    }
    return peak && chance > 0.1
        ? 10 + seeded.random().nextInt(11)
        : 5 + seeded.random().nextInt(16);
  }
}
