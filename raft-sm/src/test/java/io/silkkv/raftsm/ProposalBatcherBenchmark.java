package io.silkkv.raftsm;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.raftsm.command.Command;
import io.silkkv.raftsm.command.CommandResult;
import io.silkkv.raftsm.command.CommandResult.Applied;
import java.time.InstantSource;
import java.util.Collections;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Commands of 1 KiB through the batcher to a log that takes entries at once and applies them on a
 * thread of its own: what the batcher and the hand-over between threads cost per command, without
 * disk and network.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class ProposalBatcherBenchmark {
  private static final int TOGETHER = 64;
  private static final CommandResult RESULT = new Applied(1);

  private final Command command =
      Command.of(new WriteBatch().put(Slice.utf8("user:4711"), Slice.wrap(new byte[1_024])));
  private final ExecutorService drains = Executors.newSingleThreadExecutor();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final ExecutorService applier = Executors.newSingleThreadExecutor();

  /** No fuller than the batcher lets entries be in flight. */
  private final BlockingQueue<Proposal> log =
      new ArrayBlockingQueue<>(ProposalOptions.DEFAULT.entriesInFlight());

  private final ProposalBatcher batcher =
      new ProposalBatcher(
          "shard 1",
          ProposalOptions.DEFAULT,
          () -> null,
          this::append,
          InstantSource.system(),
          new ProposalThreads(drains, this::after));

  private void after(int micros, Runnable task) {
    var unused = timer.schedule(task, micros, TimeUnit.MICROSECONDS);
  }

  private void append(Proposal proposal) {
    log.add(proposal);
    applier.execute(
        () -> {
          Proposal next = log.remove();
          next.complete(Collections.nCopies(next.entry().commands().size(), RESULT));
        });
  }

  @TearDown
  public void close() {
    batcher.close();
    timer.shutdown();
    drains.shutdown();
    applier.shutdown();
  }

  /** One caller that waits for each command. */
  @Benchmark
  public CommandResult alone() {
    return batcher.propose(command).join();
  }

  /** Commands that come at once; per command. */
  @Benchmark
  @OperationsPerInvocation(TOGETHER)
  public void together() {
    CompletableFuture<?>[] answers = new CompletableFuture<?>[TOGETHER];
    for (int i = 0; i < TOGETHER; i++) {
      answers[i] = batcher.propose(command);
    }
    CompletableFuture.allOf(answers).join();
  }
}
