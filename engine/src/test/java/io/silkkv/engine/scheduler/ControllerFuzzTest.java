package io.silkkv.engine.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.silkkv.engine.api.SilkOptions;
import io.silkkv.engine.scheduler.BandwidthController.Sample;
import io.silkkv.engine.testkit.Seeded;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whatever the counters say, rates stay within bounds, and a second later they are right again. */
class ControllerFuzzTest {
  private static final long MB = 1_000_000;
  private static final long TICK = 10_000_000;
  private static final long SECOND = 1_000_000_000;

  @RegisterExtension final Seeded seeded = new Seeded();

  @Test
  void ratesStayBoundedAndRecoverWithinASecond() {
    RandomGenerator random = seeded.random();
    for (int run = 0; run < 200; run++) {
      SilkOptions options = options(random);
      BandwidthController controller = new BandwidthController(options, 2);
      EngineDemand demand = new EngineDemand();
      long time = any(random);
      for (int i = 0; i < 300; i++) {
        time = random.nextInt(5) == 0 ? any(random) : time + TICK;
        EngineLoad load = new EngineLoad(any(random), any(random), any(random), anyDouble(random));
        demand.look(load, any(random), Math.abs(anyDouble(random)), time);
        check(options, demand, controller, anySample(random, time, demand));
      }
      recovers(options, demand, controller, random);
    }
  }

  private static SilkOptions options(RandomGenerator random) {
    long device = SilkOptions.MIN_RATE + (random.nextLong() >>> (15 + random.nextInt(40)));
    SilkOptions base = SilkOptions.forDevice(device);
    return new SilkOptions(
        device,
        1 + (long) (random.nextDouble() * (device - 1)),
        base.thresholdBytesPerSecond(),
        base.epsilonBytesPerSecond(),
        10,
        random.nextDouble() * 10,
        List.of(SilkOptions.Parts.values()).get(random.nextInt(3)));
  }

  private static Sample anySample(RandomGenerator random, long time, EngineDemand demand) {
    boolean wild = random.nextBoolean();
    return new Sample(
        time,
        any(random),
        any(random),
        any(random),
        wild ? anyDouble(random) : demand.flushNeed(),
        wild ? anyDouble(random) : demand.l0Need());
  }

  private static long any(RandomGenerator random) {
    return switch (random.nextInt(6)) {
      case 0 -> 0;
      case 1 -> Long.MAX_VALUE;
      case 2 -> Long.MIN_VALUE;
      case 3 -> -random.nextInt(1_000_000);
      default -> random.nextLong() >> random.nextInt(64);
    };
  }

  private static double anyDouble(RandomGenerator random) {
    return switch (random.nextInt(6)) {
      case 0 -> 0;
      case 1 -> Double.NaN;
      case 2 -> Double.POSITIVE_INFINITY;
      case 3 -> -1e300;
      case 4 -> 1e300;
      default -> random.nextDouble() * 1e9;
    };
  }

  private static void check(
      SilkOptions options, EngineDemand demand, BandwidthController controller, Sample sample) {
    assertThat(demand.flushNeed()).isBetween(0.0, 1e15);
    assertThat(demand.l0Need()).isBetween(0.0, 1e15);
    Allotment now = controller.look(sample);
    long device = options.deviceBytesPerSecond();
    assertThat(now.internalRate()).isBetween(1L, device);
    assertThat(now.clientRate()).isBetween(0L, 4 * device + 1);
    assertThat(now.flushFloor()).isBetween(0L, device);
    assertThat(now.l0Floor()).isBetween(0L, device);
    assertThat(now.flushFloor() + now.l0Floor()).isLessThanOrEqualTo(device);
    assertThat(now.deepCores()).isBetween(0.0, 2.0);
  }

  /** One second of a calm load after whatever was before. */
  private static void recovers(
      SilkOptions options,
      EngineDemand demand,
      BandwidthController controller,
      RandomGenerator random) {
    long time = random.nextLong() >> 2;
    long client = any(random) / 4;
    long cpu = any(random) / 4;
    long perTick = options.deviceBytesPerSecond() / 4 / 100;
    for (long end = time + SECOND; time < end; time += TICK) {
      client += perTick;
      cpu += TICK / 2;
      demand.look(new EngineLoad(0, 0, 64 * MB, 0), 0, 4, time);
      controller.look(new Sample(time, client, 0, cpu, demand.flushNeed(), demand.l0Need()));
    }
    Allotment calm = controller.current();
    assertThat((double) calm.clientRate())
        .isCloseTo(options.deviceBytesPerSecond() / 4.0, within(200.0));
    if (options.parts() != SilkOptions.Parts.PRIORITIES_ONLY) {
      double left = options.deviceBytesPerSecond() * 0.75 - options.epsilonBytesPerSecond();
      double wanted = Math.max(left, (double) options.floorBytesPerSecond());
      assertThat((double) calm.internalRate())
          .isCloseTo(wanted, within(options.thresholdBytesPerSecond() + 200.0));
    }
    if (options.parts() == SilkOptions.Parts.ALL) {
      assertThat(calm.deepCores()).isCloseTo(1.3, within(0.01));
    }
  }
}
