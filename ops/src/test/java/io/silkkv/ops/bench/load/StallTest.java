package io.silkkv.ops.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.ops.bench.load.data.KeyFormat;
import io.silkkv.ops.bench.load.data.OpKind;
import io.silkkv.ops.bench.load.data.Operation;
import io.silkkv.ops.bench.load.data.OperationSource;
import io.silkkv.ops.bench.load.data.Oracle;
import io.silkkv.ops.bench.load.data.Values;
import io.silkkv.ops.bench.load.figures.LoadResult;
import io.silkkv.ops.bench.load.figures.OpFigures;
import io.silkkv.ops.bench.load.figures.SecondFigures;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * A synthetic system that answers within 0.1 ms, but for one stall of two seconds, in virtual time:
 * what do the two loops say about it?
 */
class StallTest {
  private static final long SERVICE_NANOS = 100_000;
  private static final long STALL_NANOS = 2_000_000_000L;
  private static final long STALL_AT = 10_000_000_000L;
  private static final double SECONDS = 60;
  private static final double RATE = 1_000;

  private final VirtualTime time = new VirtualTime();
  private final Oracle oracle = new Oracle(new KeyFormat.Ordered(), new Values(1, 1), 16);
  private final OperationSource gets = number -> Operation.get(number % 1_000);

  private MapTarget stallingOnce() {
    long stallAt = time.getAsLong() + STALL_AT;
    return new MapTarget() {
      private boolean stalled;

      @Override
      void served() {
        time.spend(SERVICE_NANOS);
        if (!stalled && time.getAsLong() >= stallAt) {
          stalled = true;
          time.spend(STALL_NANOS);
        }
      }
    };
  }

  private LoadResult open(OperationSource source, LoadTarget target, Pacer pacer)
      throws InterruptedException {
    return new OpenLoop(time, pacer, LoadLimits.DEFAULT)
        .run(
            Schedule.constant(SECONDS, RATE),
            source,
            Driver.blocking(target, 1),
            oracle,
            Progress.Listener.none());
  }

  @Test
  void theOpenLoopShowsTheStall() throws Exception {
    LoadResult result = open(gets, stallingOnce(), time);
    assertThat(result.invalidBecause()).isEmpty();
    OpFigures figures = only(result);
    assertThat(figures.count()).isEqualTo(60_000);
    assertThat(figures.offeredPerSecond()).isEqualTo(RATE);
    // 2,000 operations were due in the stall, and some 220 more until the queue was empty: the p99
    // of all 60,000 is the latency of the 600th of them, from the longest.
    assertThat(figures.p50()).isBetween(99_000L, 101_000L);
    assertThat(figures.p99()).isBetween(1_400_000_000L, 1_500_000_000L);
    assertThat(figures.max()).isBetween(1_999_000_000L, 2_005_000_000L);
    assertThat(figures.badSeconds()).isEqualTo(4);
    assertThat(figures.stallNanos()).isBetween(1_999_000_000L, 2_001_000_000L);
    assertThat(result.perSecond())
        .filteredOn(second -> second.p99() > 1_000_000)
        .extracting(SecondFigures::second)
        .containsExactly(9, 10, 11, 12);
    assertThat(result.perSecond().get(10).finished()).isZero();
    assertThat(result.generator().latenessMax()).isLessThan(1_000_000);
  }

  @Test
  void theClosedLoopReadsAsIfThereHadBeenNone() throws Exception {
    LoadResult result =
        new ClosedLoop(time, LoadLimits.DEFAULT)
            .run(
                SECONDS,
                Long.MAX_VALUE,
                gets,
                Driver.blocking(stallingOnce(), 1),
                oracle,
                Progress.Listener.none());
    OpFigures figures = only(result);
    assertThat(figures.count()).isGreaterThan(500_000);
    assertThat(figures.p99()).isBetween(99_000L, 101_000L);
    assertThat(figures.p9999()).isBetween(99_000L, 101_000L);
    assertThat(figures.badSeconds()).isZero();
    assertThat(figures.max()).isGreaterThan(1_999_000_000L);
  }

  @Test
  void aGeneratorThatIsTooSlowForTheScheduleMakesTheRunInvalid() throws Exception {
    OperationSource slow =
        number -> {
          time.spend(1_100_000);
          return Operation.get(number % 1_000);
        };
    LoadResult result = open(slow, new MapTarget(), time);
    assertThat(result.valid()).isFalse();
    assertThat(result.invalidBecause()).singleElement().asString().contains("fell behind");
    assertThat(result.generator().ownShare()).isGreaterThan(0.9);
  }

  @Test
  void aGeneratorThatWakesUpLateMakesTheRunInvalid() throws Exception {
    LoadResult result = open(gets, new MapTarget(), until -> time.awaitTime(until + 3_000_000));
    assertThat(result.invalidBecause()).singleElement().asString().contains("fell behind");
    assertThat(result.generator().latenessP50()).isBetween(1_000_000L, 3_100_000L);
  }

  @Test
  void aSystemThatIsTooSlowForTheScheduleIsToBlameItself() throws Exception {
    MapTarget slow =
        new MapTarget() {
          @Override
          void served() {
            time.spend(1_200_000);
          }
        };
    LoadResult result = open(gets, slow, time);
    assertThat(result.invalidBecause()).isEmpty();
    assertThat(result.generator().behind()).isGreaterThan(0.99);
    assertThat(only(result).p99()).isGreaterThan(11_000_000_000L);
    assertThat(only(result).opsPerSecond()).isBetween(830.0, 835.0);
    assertThat(only(result).offeredPerSecond()).isEqualTo(RATE);
  }

  @Test
  void whatWasNeverSentCountsWithTheTimeThatItWaited() throws Exception {
    AtomicLong calls = new AtomicLong();
    MapTarget hanging =
        new MapTarget() {
          @Override
          void served() {
            time.spend(calls.incrementAndGet() == 30_000 ? 1_000_000_000_000L : 10_000);
          }
        };
    LoadResult result = open(gets, hanging, time);
    OpFigures figures = only(result);
    assertThat(result.generator().unsent()).isEqualTo(30_000);
    assertThat(figures.unanswered()).isEqualTo(30_000);
    assertThat(figures.count()).isEqualTo(60_000);
    assertThat(figures.p90()).isGreaterThan(900_000_000_000L);
  }

  private static OpFigures only(LoadResult result) {
    assertThat(result.operations()).extracting(OpFigures::op).containsExactly(OpKind.GET);
    return result.operations().get(0);
  }
}
