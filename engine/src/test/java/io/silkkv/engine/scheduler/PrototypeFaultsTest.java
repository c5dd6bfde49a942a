package io.silkkv.engine.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.silkkv.engine.api.SilkOptions;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.IoCounters;
import io.silkkv.engine.io.IoCounters.Direction;
import io.silkkv.engine.testkit.MemFileSystem;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/**
 * The published prototype of SILK has faults that its paper does not have. Each is a test here, in
 * virtual time: the controller looks when the test says so, and the test plays the jobs.
 */
class PrototypeFaultsTest {
  private static final long MB = 1_000_000;
  private static final long TICK = 10_000_000;
  private static final SilkOptions OPTIONS = SilkOptions.forDevice(200 * MB);

  private final AtomicLong now = new AtomicLong();
  private final AtomicLong processCpu = new AtomicLong();
  private final AtomicLong threadCpu = new AtomicLong();
  private final IoCounters counters = new IoCounters();
  private final IoLimiter<PriorityLedger> limiter =
      new IoLimiter<>(new PriorityLedger(true, 0), now::get, Long.MAX_VALUE);
  private final SilkControl control =
      new SilkControl(
          OPTIONS, counters, new CpuClock(processCpu::get, threadCpu::get), 2, limiter, now::get);

  /** Lets periods pass in which clients move so many bytes per second. */
  private void periods(int count, IoClass why, long bytesPerSecond) {
    for (int i = 0; i < count; i++) {
      now.addAndGet(TICK);
      counters.add(why, Direction.READ, bytesPerSecond / 100);
      control.look();
    }
  }

  private boolean granted(IoRequest request) {
    limiter.update((ledger, time) -> {});
    return request.granted();
  }

  private IoRequest ask(IoClass why) {
    IoRequest request = new IoRequest(why, IoRequest.MAX_BYTES, 0, null, null);
    limiter.update((ledger, time) -> ledger.add(request, time));
    return request;
  }

  @Test
  void fault1PausedTwiceAndResumedOnceIsResumed() {
    for (int peaks = 0; peaks < 3; peaks++) {
      periods(20, IoClass.CLIENT_READ, 190 * MB);
      assertThat(control.figures("").deepPaused()).isTrue();
      IoRequest deep = ask(IoClass.DEEP);
      assertThat(granted(deep)).isFalse();
      periods(20, IoClass.CLIENT_READ, 0);
      assertThat(control.figures("").deepPaused()).isFalse();
      assertThat(granted(deep)).isTrue();
    }
    assertThat(control.figures("").pauses()).isEqualTo(3);
  }

  @Test
  void fault2APauseWaitsForNoJobAndTheRateFallsWithIt() {
    periods(20, IoClass.CLIENT_READ, 0);
    while (granted(ask(IoClass.DEEP))) {
      // A deep job at full speed; its last request stays open in the middle of its work.
    }
    periods(1, IoClass.CLIENT_READ, 190 * MB);
    assertThat(control.figures("").internalRate()).isEqualTo(OPTIONS.floorBytesPerSecond());
    IoRequest next = ask(IoClass.DEEP);
    periods(100, IoClass.CLIENT_READ, 190 * MB);
    assertThat(granted(next)).isFalse();
  }

  @Test
  void fault3OnlyWhatReachesTheVolumeCounts() {
    periods(20, IoClass.LOG, 30 * MB);
    assertThat((double) control.figures("").clientRate()).isCloseTo(30.0 * MB, within(1.0));
    // Gets from memory move nothing; reads of compactions are not the clients'.
    periods(20, IoClass.DEEP, 100 * MB);
    assertThat(control.figures("").clientRate()).isZero();
    AtomicLong log = new AtomicLong();
    AtomicLong sent = new AtomicLong();
    control.countTraffic(log::get, sent::get);
    for (int i = 0; i < 20; i++) {
      log.addAndGet(MB / 10);
      sent.addAndGet(MB / 5);
      periods(1, IoClass.DEEP, 0);
    }
    assertThat((double) control.figures("").clientRate()).isCloseTo(30.0 * MB, within(1.0));
    assertThat((double) control.figures("").replicationRate()).isCloseTo(20.0 * MB, within(1.0));
    periods(20, IoClass.CLIENT_READ, 50 * MB);
    assertThat((double) control.figures("").clientRate()).isCloseTo(50.0 * MB, within(1.0));
  }

  @Test
  void fault4ABurstIsSeenInThePeriodInWhichItBegins() {
    periods(20, IoClass.CLIENT_READ, 10 * MB);
    periods(1, IoClass.CLIENT_READ, 150 * MB);
    assertThat((double) control.figures("").internalRate()).isCloseTo(40.0 * MB, within(1.0));
  }

  @Test
  void fault5NothingAssumesACertainDevice() {
    for (long device : new long[] {2 * MB, 20 * MB, 200 * MB, 5_000 * MB}) {
      BandwidthController other = new BandwidthController(SilkOptions.forDevice(device), 2);
      long bytes = 0;
      for (int i = 0; i < 30; i++) {
        bytes += device / 2 / 100;
        other.look(new BandwidthController.Sample(i * TICK, bytes, 0, 0, 0, 0));
      }
      assertThat(other.current().internalRate() / (double) device)
          .as("device of %d", device)
          .isCloseTo(0.45, within(0.051));
    }
  }

  @Test
  void fault6AFlushHasThreadsOfItsOwn() throws Exception {
    AtomicLong flushed = new AtomicLong();
    try (BackgroundJobs jobs = BackgroundJobs.forProcessors(1)) {
      CountDownLatch done = new CountDownLatch(1);
      BackgroundJobs.Slot merge =
          jobs.slot(
              Lane.L0,
              () -> {
                try {
                  done.await();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      merge.request();
      jobs.slot(
              Lane.FLUSH,
              () -> {
                flushed.incrementAndGet();
                done.countDown();
              })
          .request();
      done.await();
    }
    assertThat(flushed).hasValue(1);
  }

  @Test
  void fault7LevelZeroGoesBeforeDeeperLevels() {
    periods(20, IoClass.CLIENT_READ, 100 * MB);
    while (granted(ask(IoClass.DEEP))) {
      // Deep requests queue up.
    }
    IoRequest second = ask(IoClass.DEEP);
    IoRequest l0 = ask(IoClass.L0);
    now.addAndGet(1_500_000);
    assertThat(granted(l0)).isTrue();
    assertThat(granted(second)).isFalse();
  }

  @Test
  void fault12FiguresTellThePolicyThatIsInForce() {
    LongSupplier time = now::get;
    SplittableRandom random = new SplittableRandom(1);
    MemFileSystem files = new MemFileSystem();
    assertThat(IoScheduler.fixed("f", 90 * MB, files, time, random).figures().internalRate())
        .isEqualTo(90 * MB);
    assertThat(IoScheduler.autoTuned("a", 90 * MB, files, time, random).figures().internalRate())
        .isEqualTo(45 * MB);
    assertThat(control.figures("silk").deviceRate()).isEqualTo(200 * MB);
  }

  @Test
  void fault15TheProcessorIsSharedToo() {
    IoJob job =
        new IoJob(new IoJob.Description(IoClass.DEEP, 1, 1, () -> 0, () -> false), 0, 0, null);
    for (int i = 0; i < 100; i++) {
      now.addAndGet(TICK);
      processCpu.addAndGet(2 * TICK);
      // Half of that is the deep job's own work, which must not count as the clients'.
      threadCpu.addAndGet(TICK);
      assertThat(control.cpuOf(job, IoClass.DEEP)).isEqualTo(TICK);
      control.look();
    }
    assertThat(control.figures("").deepCores()).isCloseTo(0.8, within(0.02));
  }
}
