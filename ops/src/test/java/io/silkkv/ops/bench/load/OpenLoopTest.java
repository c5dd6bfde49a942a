package io.silkkv.ops.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.silkkv.ops.bench.load.data.KeyChooser;
import io.silkkv.ops.bench.load.data.KeyFormat;
import io.silkkv.ops.bench.load.data.OpKind;
import io.silkkv.ops.bench.load.data.Operation;
import io.silkkv.ops.bench.load.data.OperationMix;
import io.silkkv.ops.bench.load.data.OperationMix.Share;
import io.silkkv.ops.bench.load.data.OperationSource;
import io.silkkv.ops.bench.load.data.Oracle;
import io.silkkv.ops.bench.load.data.ValueSizes;
import io.silkkv.ops.bench.load.data.Values;
import io.silkkv.ops.bench.load.figures.LoadResult;
import io.silkkv.ops.bench.load.figures.OpFigures;
import io.silkkv.ops.bench.load.figures.SecondFigures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OpenLoopTest {
  private final VirtualTime time = new VirtualTime();
  private final Oracle oracle = new Oracle(new KeyFormat.Scattered(), new Values(1, 1), 4);
  private final OpenLoop loop = new OpenLoop(time, time, LoadLimits.DEFAULT);

  @Test
  void anOperationThatWaitsForASlotCountsFromItsTime() throws Exception {
    HeldTarget target = new HeldTarget();
    CompletableFuture<LoadResult> result = new CompletableFuture<>();
    Thread runner =
        new Thread(
            () -> {
              try {
                result.complete(
                    loop.run(
                        Schedule.constant(3, 1),
                        n -> Operation.put(n, 20),
                        Driver.async(target, 2),
                        oracle,
                        Progress.Listener.none()));
              } catch (InterruptedException e) {
                result.completeExceptionally(e);
              }
            });
    runner.start();
    // The third is due at 2 s and finds both slots taken; 1.5 s later the first is answered.
    await().until(() -> target.held.size() == 2);
    await().until(() -> time.getAsLong() >= 2_051_000_000L);
    time.spend(1_500_000_000);
    target.held.remove().complete(null);
    await().until(() -> target.held.size() == 2);
    time.spend(500_000_000);
    target.held.remove().complete(null);
    target.held.remove().complete(null);
    OpFigures puts = result.get(30, TimeUnit.SECONDS).operations().get(0);
    runner.join();
    // Due at 0, 1 and 2 s, answered at 3.5, 4 and 4 s.
    assertThat(result.get().perSecond())
        .filteredOn(second -> second.count() > 0)
        .extracting(second -> Math.round(second.max() / 1e8))
        .containsExactly(35L, 30L, 20L);
    assertThat(puts.count()).isEqualTo(3);
    assertThat(result.get().perSecond())
        .filteredOn(second -> second.finished() > 0)
        .extracting(SecondFigures::second)
        .containsExactly(3, 4);
    assertThat(result.get().generator().behind()).isBetween(0.3, 0.4);
  }

  @Test
  void whatIsStillInFlightAtTheEndCountsAsUnanswered() throws Exception {
    HeldTarget target = new HeldTarget();
    VirtualTime running = new VirtualTime();
    OpenLoop impatient =
        new OpenLoop(
            // Every look at the clock takes a while, so that the overrun ends by itself.
            () -> {
              running.spend(20_000_000);
              return running.getAsLong();
            },
            running,
            new LoadLimits(Duration.ofMinutes(1), 1, Duration.ofMillis(50)));
    LoadResult result =
        impatient.run(
            Schedule.constant(1, 4),
            n -> Operation.put(n, 20),
            Driver.async(target, 3),
            oracle,
            Progress.Listener.none());
    assertThat(result.operations()).singleElement().returns(4L, OpFigures::unanswered);
    assertThat(result.generator().unsent()).isEqualTo(1);
    assertThat(result.invalidBecause()).containsExactly("no operation succeeded");
    // A late answer changes nothing and disturbs nobody.
    target.held.forEach(answer -> answer.complete(null));
  }

  @Test
  void manyThreadsLoseNoOperationAndAllKindsAreKeptApart() throws Exception {
    MapTarget target = new MapTarget();
    OperationSource mix =
        new OperationMix(
            3,
            500,
            0.1,
            List.of(
                Share.of(OpKind.PUT, 1),
                Share.of(OpKind.GET, 1),
                Share.of(OpKind.DELETE, 1),
                Share.of(OpKind.SEEK, 1),
                Share.of(OpKind.RMW, 1),
                Share.scans(1, 1, 5)),
            new KeyChooser.Zipfian(0.99),
            new ValueSizes.Mixed(
                List.of(
                    new ValueSizes.Range(1, 1, 10, false),
                    new ValueSizes.Range(1, 20, 90, false))));
    List<SecondFigures> told = new ArrayList<>();
    LoadResult result =
        loop.run(
            Schedule.constant(5, 10_000),
            mix,
            Driver.blocking(target, 6),
            oracle,
            progress -> told.addAll(progress.seconds()));
    assertThat(result.oracle().mismatches()).as("%s", result.oracle().firstMismatches()).isZero();
    assertThat(result.operations()).extracting(OpFigures::op).containsExactly(OpKind.values());
    assertThat(result.operations().stream().mapToLong(OpFigures::count).sum()).isEqualTo(50_000);
    for (int second = 0; second < 5; second++) {
      int wanted = second;
      assertThat(
              result.perSecond().stream()
                  .filter(s -> s.second() == wanted)
                  .mapToLong(SecondFigures::count)
                  .sum())
          .isEqualTo(10_000);
    }
    assertThat(told).hasSizeLessThanOrEqualTo(result.perSecond().size());
  }

  @Test
  void aLostWriteMakesTheRunInvalid() throws Exception {
    MapTarget forgetful =
        new MapTarget() {
          private final AtomicLong puts = new AtomicLong();

          @Override
          public void put(byte[] key, byte[] value) throws Exception {
            if (puts.incrementAndGet() % 100 != 0) {
              super.put(key, value);
            }
          }
        };
    LoadResult result =
        loop.run(
            Schedule.constant(1, 4_000),
            number -> number % 2 == 0 ? Operation.put(number / 4, 50) : Operation.get(number / 4),
            Driver.blocking(forgetful, 1),
            oracle,
            Progress.Listener.none());
    assertThat(result.oracle().mismatches()).isPositive();
    assertThat(result.valid()).isFalse();
    assertThat(result.invalidBecause()).first().asString().contains("must not");
  }

  @Test
  void anErrorOfTheGeneratorIsNotAnErrorOfTheSystem() {
    OperationSource broken =
        number -> {
          throw new IllegalArgumentException("no such workload");
        };
    assertThatThrownBy(
            () ->
                loop.run(
                    Schedule.constant(1, 10),
                    broken,
                    Driver.blocking(new MapTarget(), 2),
                    oracle,
                    Progress.Listener.none()))
        .hasMessageContaining("load generator failed")
        .hasRootCauseMessage("no such workload");
  }
}
