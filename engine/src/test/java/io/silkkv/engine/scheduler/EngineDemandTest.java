package io.silkkv.engine.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class EngineDemandTest {
  private static final long MB = 1_000_000;
  private static final long TICK = 10_000_000;

  private final EngineDemand demand = new EngineDemand();
  private long time;
  private long written;

  /** Some seconds of writing at a rate, with the engine in one state. */
  private void run(double seconds, long rate, long unflushed, long room, double l0Fill) {
    for (int i = 0; i < seconds * 100; i++) {
      time += TICK;
      written += rate / 100;
      demand.look(new EngineLoad(written, unflushed, room, l0Fill), 0, 4, time);
    }
  }

  @Test
  void anIdleEngineNeedsNothing() {
    run(5, 0, 64 * MB, 64 * MB, 3);
    assertThat(demand.flushNeed()).isZero();
    assertThat(demand.l0Need()).isZero();
  }

  @Test
  void aFlushHasToEndBeforeTheRoomIsUsedUp() {
    run(5, 8 * MB, 64 * MB, 64 * MB, 0);
    assertThat(demand.flushNeed()).isCloseTo(10.0 * MB, within(0.1 * MB));
    run(0.01, 8 * MB, 64 * MB, 16 * MB, 0);
    assertThat(demand.flushNeed()).isCloseTo(40.0 * MB, within(0.4 * MB));
  }

  @Test
  void whatTheFlushHasMovedIsNotNeededAnyMore() {
    run(5, 8 * MB, 64 * MB, 64 * MB, 0);
    demand.look(new EngineLoad(written, 64 * MB, 32 * MB, 0), 48 * MB, 4, time + 1);
    assertThat(demand.flushNeed()).isCloseTo(5.0 * MB, within(0.1 * MB));
  }

  @Test
  void levelZeroNeedsWhatItsBytesCostAndMoreWhenItIsBehind() {
    run(5, 8 * MB, 0, 64 * MB, 0.9);
    assertThat(demand.l0Need()).as("nothing to do").isZero();
    run(0.01, 8 * MB, 0, 64 * MB, 1);
    assertThat(demand.l0Need()).isCloseTo(32.0 * MB, within(0.4 * MB));
    run(0.01, 8 * MB, 0, 64 * MB, 4);
    assertThat(demand.l0Need()).isCloseTo(64.0 * MB, within(0.8 * MB));
    run(0.01, 8 * MB, 0, 64 * MB, 100);
    assertThat(demand.l0Need()).isCloseTo(128.0 * MB, within(1.6 * MB));
  }

  @Test
  void aFullMemtableNeedsEverythingAndNotMore() {
    run(5, 8 * MB, 64 * MB, 0, 0);
    assertThat(demand.flushNeed()).isBetween(1e12, 1e15);
  }
}
