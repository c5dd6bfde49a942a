package io.silkkv.engine.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.silkkv.engine.api.SilkOptions;
import io.silkkv.engine.scheduler.BandwidthController.Sample;
import org.junit.jupiter.api.Test;

class BandwidthControllerTest {
  private static final long MB = 1_000_000;
  private static final long TICK = 10_000_000;
  private static final long T = 200 * MB;
  private static final SilkOptions OPTIONS =
      new SilkOptions(T, 20 * MB, 10 * MB, 5 * MB, 10, 1, SilkOptions.Parts.ALL);

  private BandwidthController controller = new BandwidthController(OPTIONS, 2);
  private long time = Long.MAX_VALUE / 2;
  private long clientBytes;
  private long replicationBytes;
  private long cpuNanos;
  private double flushNeed;
  private double l0Need;

  /** Goes through some looks at a client rate in bytes per second. */
  private Allotment run(int looks, long clientRate) {
    Allotment now = look();
    for (int i = 0; i < looks; i++) {
      time += TICK;
      clientBytes += clientRate / 100;
      now = look();
    }
    return now;
  }

  private Allotment look() {
    return controller.look(
        new Sample(time, clientBytes, replicationBytes, cpuNanos, flushNeed, l0Need));
  }

  @Test
  void internalWorkGetsWhatClientsLeave() {
    assertThat(run(20, 0).internalRate()).isEqualTo(195 * MB);
    Allotment busy = run(20, 100 * MB);
    assertThat(busy.clientRate()).isCloseTo(100 * MB, within(MB));
    assertThat(busy.internalRate()).isCloseTo(95 * MB, within(MB));
    assertThat(busy.deepPaused()).isFalse();
  }

  @Test
  void aPeakActsWithinOneLook() {
    run(20, 20 * MB);
    Allotment peak = run(1, 190 * MB);
    assertThat(peak.internalRate()).isEqualTo(20 * MB);
    assertThat(peak.deepPaused()).isTrue();
  }

  @Test
  void theEndOfAPeakActsWithinTheWindow() {
    run(50, 190 * MB);
    Allotment valley = run(BandwidthController.WINDOW, 0);
    assertThat(valley.internalRate()).isEqualTo(195 * MB);
    assertThat(valley.deepPaused()).isFalse();
  }

  @Test
  void aGapBetweenTwoBatchesIsNotTheEndOfAPeak() {
    for (int i = 0; i < 30; i++) {
      run(1, 360 * MB);
      assertThat(run(1, 0).deepPaused()).as("look %d", i).isTrue();
    }
  }

  @Test
  void smallChangesAreNotSet() {
    long before = run(20, 100 * MB).internalRate();
    assertThat(run(20, 105 * MB).internalRate()).isEqualTo(before);
    assertThat(run(20, 120 * MB).internalRate()).isCloseTo(75 * MB, within(MB));
  }

  @Test
  void replicationCountsByItsWeight() {
    for (double weight : new double[] {0, 0.5, 1}) {
      controller = new BandwidthController(OPTIONS.withReplicationWeight(weight), 2);
      Allotment now = look();
      for (int i = 0; i < 20; i++) {
        replicationBytes += MB;
        now = run(1, 0);
      }
      assertThat(now.clientRate()).isCloseTo((long) (weight * 100 * MB), within(MB));
      assertThat(now.replicationRate()).isCloseTo((long) (weight * 100 * MB), within(MB));
    }
  }

  @Test
  void theFloorIsWhatFlushesAndLevelZeroNeed() {
    flushNeed = 15 * MB;
    l0Need = 45 * MB;
    Allotment busy = run(20, 180 * MB);
    assertThat(busy.flushFloor()).isEqualTo(15 * MB);
    assertThat(busy.l0Floor()).isEqualTo(45 * MB);
    assertThat(busy.internalRate()).isEqualTo(60 * MB);
    assertThat(busy.deepPaused()).isTrue();
    Allotment calm = run(20, 100 * MB);
    assertThat(calm.internalRate()).isCloseTo(95 * MB, within(MB));
    assertThat(calm.deepPaused()).isFalse();
  }

  @Test
  void floorsNeverTakeTheWholeVolume() {
    flushNeed = 1e18;
    l0Need = 1e18;
    Allotment now = run(20, 100 * MB);
    assertThat(now.flushFloor()).isEqualTo(90 * MB);
    assertThat(now.l0Floor()).isEqualTo(90 * MB);
    flushNeed = 30 * MB;
    now = run(1, 100 * MB);
    assertThat(now.flushFloor()).isEqualTo(30 * MB);
    assertThat(now.l0Floor()).isEqualTo(150 * MB);
  }

  @Test
  void deepCompactionsGetTheProcessorsThatOthersLeave() {
    assertThat(run(1, 0).deepCores()).isEqualTo(1.8, within(0.01));
    for (int i = 0; i < 100; i++) {
      cpuNanos += TICK;
      run(1, 0);
    }
    assertThat(controller.current().deepCores()).isEqualTo(0.8, within(0.01));
    for (int i = 0; i < 100; i++) {
      cpuNanos += 2 * TICK;
      run(1, 0);
    }
    assertThat(controller.current().deepCores()).isEqualTo(0.1, within(0.01));
  }

  @Test
  void bandwidthAloneNeverPauses() {
    controller = new BandwidthController(OPTIONS.withParts(SilkOptions.Parts.BANDWIDTH_ONLY), 2);
    flushNeed = 100 * MB;
    Allotment busy = run(20, 190 * MB);
    assertThat(busy.internalRate()).isEqualTo(20 * MB);
    assertThat(busy.deepPaused()).isFalse();
  }

  @Test
  void prioritiesAloneKeepTheRate() {
    controller = new BandwidthController(OPTIONS.withParts(SilkOptions.Parts.PRIORITIES_ONLY), 2);
    Allotment busy = run(20, 190 * MB);
    assertThat(busy.internalRate()).isEqualTo(T);
    assertThat(busy.deepPaused()).isFalse();
  }

  @Test
  void twoLooksAtTheSameTimeChangeNothing() {
    Allotment before = run(20, 50 * MB);
    clientBytes += Long.MAX_VALUE / 4;
    assertThat(look()).isEqualTo(before);
  }
}
