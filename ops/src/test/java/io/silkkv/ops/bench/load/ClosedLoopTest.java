package io.silkkv.ops.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.silkkv.ops.bench.load.data.KeyFormat;
import io.silkkv.ops.bench.load.data.OpKind;
import io.silkkv.ops.bench.load.data.Operation;
import io.silkkv.ops.bench.load.data.OperationSource;
import io.silkkv.ops.bench.load.data.Oracle;
import io.silkkv.ops.bench.load.data.ValueSizes;
import io.silkkv.ops.bench.load.data.Values;
import io.silkkv.ops.bench.load.figures.LoadResult;
import io.silkkv.ops.bench.load.figures.OpFigures;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ClosedLoopTest {
  private final VirtualTime time = new VirtualTime();
  private final Oracle oracle = new Oracle(new KeyFormat.Scattered(), new Values(1, 1), 4);
  private final ClosedLoop loop = new ClosedLoop(time, LoadLimits.DEFAULT);

  private LoadResult run(double seconds, long operations, OperationSource source, Driver driver)
      throws InterruptedException {
    return loop.run(seconds, operations, source, driver, oracle, Progress.Listener.none());
  }

  @Test
  void aFillPutsEachKeyOnceWithManyThreads() throws Exception {
    MapTarget target = new MapTarget();
    LoadResult result =
        run(
            Double.POSITIVE_INFINITY,
            10_000,
            OperationSource.fill(1, new ValueSizes.Fixed(30)),
            Driver.blocking(target, 4));
    assertThat(target.map).hasSize(10_000);
    assertThat(result.operations()).singleElement().returns(10_000L, OpFigures::count);
    LoadResult reads =
        run(Double.POSITIVE_INFINITY, 10_000, Operation::get, Driver.blocking(target, 4));
    assertThat(reads.invalidBecause()).isEmpty();
    assertThat(reads.oracle().readsChecked()).isEqualTo(10_000);
  }

  @Test
  void timeEndsARun() throws Exception {
    MapTarget target =
        new MapTarget() {
          @Override
          void served() {
            time.spend(1_000_000);
          }
        };
    LoadResult result = run(2.5, Long.MAX_VALUE, Operation::get, Driver.blocking(target, 1));
    OpFigures gets = result.operations().get(0);
    assertThat(gets.count()).isEqualTo(2_500);
    assertThat(gets.opsPerSecond()).isEqualTo(1_000);
    assertThat(result.perSecond())
        .extracting(s -> s.finished())
        .containsExactly(999L, 1_000L, 501L);
    assertThat(result.mode()).isEqualTo("closed");
  }

  @Test
  void asManyOperationsAreInFlightAsAskedForAndEachAnswerBringsTheNext() throws Exception {
    HeldTarget target = new HeldTarget();
    CompletableFuture<LoadResult> result = new CompletableFuture<>();
    Thread runner =
        new Thread(
            () -> {
              try {
                result.complete(run(9, 5, n -> Operation.put(n, 20), Driver.async(target, 3)));
              } catch (InterruptedException e) {
                result.completeExceptionally(e);
              }
            });
    runner.start();
    await().until(() -> target.held.size() == 3);
    time.spend(2_000_000);
    target.held.remove().complete(null);
    // The next one was sent by the thread that brought the answer.
    assertThat(target.held).hasSize(3);
    target.held.remove().completeExceptionally(new IOException("boom"));
    assertThat(target.held).hasSize(3);
    target.held.remove().complete(null);
    assertThat(target.held).hasSize(2);
    target.held.remove().complete(null);
    assertThat(result).isNotDone();
    target.held.remove().complete(null);
    OpFigures puts = result.get(30, TimeUnit.SECONDS).operations().get(0);
    assertThat(puts.count()).isEqualTo(5);
    assertThat(puts.errors()).isEqualTo(1);
    assertThat(puts.max()).isBetween(1_999_000L, 2_003_000L);
    runner.join();
  }

  @Test
  void answersThatAreThereAtOnceDoNotFillTheStack() throws Exception {
    LoadResult result = run(9, 100_000, Operation::get, Driver.async(new AsyncMapTarget(), 1));
    assertThat(result.operations().get(0).count()).isEqualTo(100_000);
  }

  @Test
  void aFailureCountsWithTheTimeUntilTheNextSuccess() throws Exception {
    AtomicLong calls = new AtomicLong();
    MapTarget target =
        new MapTarget() {
          @Override
          void served() throws IOException {
            time.spend(1_000);
            if (calls.incrementAndGet() % 4 == 0) {
              time.spend(1_000_000);
              throw new IOException("boom");
            }
          }
        };
    LoadResult result =
        run(
            Double.POSITIVE_INFINITY,
            1_000,
            n -> Operation.put(n % 8, 64),
            Driver.blocking(target, 1));
    OpFigures puts = result.operations().get(0);
    assertThat(puts.op()).isEqualTo(OpKind.PUT);
    assertThat(puts.count()).isEqualTo(1_000);
    assertThat(puts.errors()).isEqualTo(250);
    assertThat(puts.opsPerSecond() * result.seconds()).isBetween(749.9, 750.1);
    assertThat(puts.p50()).isLessThan(2_000);
    assertThat(puts.p90()).isGreaterThan(1_000_000);
    assertThat(result.firstErrors()).first().asString().contains("put", "boom");
  }
}
