package io.silkkv.raftsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.raftsm.ProposalException.Reason;
import io.silkkv.raftsm.command.Command;
import io.silkkv.raftsm.command.CommandResult;
import io.silkkv.raftsm.command.CommandResult.Applied;
import io.silkkv.raftsm.command.EntryCodec;
import io.silkkv.raftsm.command.LogEntry;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ProposalBatcherTest {
  private static final ProposalOptions OPTIONS =
      new ProposalOptions(2, 1_000, 3_000, 20, 6_000, 0, 7);

  /** Entries that the log has taken, oldest first. */
  private final ArrayDeque<Proposal> log = new ArrayDeque<>();

  /** Tasks that wait for their time, oldest first. */
  private final ArrayDeque<Runnable> timer = new ArrayDeque<>();

  private final ProposalBatcher batcher = batcher(log::add);

  @Test
  void aLoneCommandLeavesAtOnce() {
    CompletableFuture<CommandResult> result = batcher.propose(command("a", 10));

    assertThat(log).hasSize(1);
    assertThat(result).isNotDone();
    complete(log.remove(), 1);
    assertThat(result).isCompletedWithValue(new Applied(1));
  }

  @Test
  void commandsGatherWhileAnEntryIsInFlightAndLeaveInOrder() {
    List<CompletableFuture<CommandResult>> results = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      results.add(batcher.propose(command("k" + i, 10)));
    }
    assertThat(keys(log)).containsExactly(List.of("k0"));

    complete(log.remove(), 1);

    assertThat(keys(log))
        .containsExactly(List.of("k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9"));
    complete(log.remove(), 2);
    assertThat(log).isEmpty();
    for (int i = 0; i < 10; i++) {
      assertThat(results.get(i)).isCompletedWithValue(new Applied(i + 1));
    }
    assertThat(batcher.counts()).isEqualTo(new ProposalBatcher.Counts(10, 2));
  }

  @Test
  void aFullEntryDoesNotWaitForTheOneInFlight() {
    var unused =
        List.of(
            batcher.propose(command("a", 10)),
            batcher.propose(command("b", 400)),
            batcher.propose(command("c", 400)));
    assertThat(keys(log)).containsExactly(List.of("a"));

    unused = List.of(batcher.propose(command("d", 400)));

    assertThat(keys(log)).containsExactly(List.of("a"), List.of("b", "c"));
    unused = List.of(batcher.propose(command("e", 900)));
    assertThat(log).as("no more than the allowed entries are in flight").hasSize(2);
  }

  @Test
  void anEntryIsClosedBeforeItGetsTooLargeAndALargerCommandTravelsAlone() {
    fillSlots();
    var unused =
        List.of(
            batcher.propose(command("a", 400)),
            batcher.propose(command("b", 400)),
            batcher.propose(command("c", 400)),
            batcher.propose(command("big", 2_500)),
            batcher.propose(command("d", 400)));

    drainLog();

    assertThat(drained)
        .containsExactly(
            List.of("slot0"),
            List.of("slot1"),
            List.of("a", "b"),
            List.of("c"),
            List.of("big"),
            List.of("d"));
  }

  private static final ProposalOptions WAITING =
      new ProposalOptions(2, 1_000, 3_000, 20, 6_000, 500, 7);

  @Test
  void anEntryWaitsForTheCallersThatTheLastOneAnswered() {
    ProposalBatcher waiting = batcher(WAITING, log::add);
    propose(waiting, "a", "b", "c");
    complete(log.remove(), 1);
    assertThat(log).as("a may come back").isEmpty();
    propose(waiting, "a2");
    assertThat(keys(log)).containsExactly(List.of("b", "c", "a2"));

    complete(log.remove(), 2);
    propose(waiting, "b2", "c2");
    assertThat(log).as("one of three is missing").isEmpty();
    propose(waiting, "a3");
    assertThat(keys(log)).containsExactly(List.of("b2", "c2", "a3"));
  }

  @Test
  void theWaitEndsWhenItsTimeIsOver() {
    ProposalBatcher waiting = batcher(WAITING, log::add);
    propose(waiting, "a", "b", "c");
    complete(log.remove(), 1);
    assertThat(log).isEmpty();

    timer.removeLast().run();

    assertThat(keys(log)).containsExactly(List.of("b", "c"));
  }

  @Test
  void aFullEntryDoesNotWaitForCallers() {
    ProposalBatcher waiting = batcher(WAITING, log::add);
    propose(waiting, "a", "b");
    complete(log.remove(), 1);
    var unused = waiting.propose(command("big", 1_100));

    assertThat(keys(log)).containsExactly(List.of("b"), List.of("big"));
  }

  @Test
  void aTimerOfAnEarlierWaitDoesNotEndALaterOne() {
    ProposalBatcher waiting = batcher(WAITING, log::add);
    propose(waiting, "a", "b");
    complete(log.remove(), 1);
    Runnable first = timer.removeLast();
    propose(waiting, "a2");
    complete(log.remove(), 2);
    propose(waiting, "b2");

    first.run();

    assertThat(log).isEmpty();
    timer.removeLast().run();
    assertThat(keys(log)).containsExactly(List.of("b2"));
  }

  @Test
  void aTimerThatIsShutDownEndsTheWait() {
    ProposalBatcher waiting =
        new ProposalBatcher(
            "shard 7",
            WAITING,
            () -> null,
            log::add,
            () -> Instant.EPOCH,
            new ProposalThreads(
                Runnable::run,
                (micros, task) -> {
                  throw new RejectedExecutionException();
                }));
    propose(waiting, "a", "b", "c");
    complete(log.remove(), 1);

    assertThat(keys(log)).containsExactly(List.of("b", "c"));
  }

  private static void propose(ProposalBatcher to, String... keys) {
    for (String key : keys) {
      var unused = to.propose(command(key, 10));
    }
  }

  @Test
  void aCommandThatNoEntryCanHoldIsRefusedBeforeItReachesTheLog() {
    CompletableFuture<CommandResult> result = batcher.propose(command("a", 3_000));

    assertRefused(result, Reason.TOO_LARGE, "limit of 3000");
    assertThat(log).isEmpty();
  }

  @Test
  void whileNothingIsAdmittedACommandThatIsTooLargeIsStillRefusedForGood() {
    ProposalBatcher overloaded =
        new ProposalBatcher(
            "shard 7",
            OPTIONS,
            () -> ProposalException.retryAfter(Reason.OVERLOADED, 5, "flushes are behind"),
            log::add,
            () -> Instant.EPOCH,
            now());

    assertRefused(overloaded.propose(command("a", 3_000)), Reason.TOO_LARGE, "limit of 3000");
    assertRefused(overloaded.propose(command("a", 10)), Reason.OVERLOADED, "flushes are behind");
    assertThat(log).isEmpty();
  }

  @Test
  void tooManyWaitingCommandsAreRefusedWithAHint() {
    fillSlots();
    for (int i = 0; i < 20; i++) {
      assertThat(batcher.propose(command("k" + i, 10))).isNotDone();
    }
    CompletableFuture<CommandResult> refused = batcher.propose(command("one too many", 10));

    assertRefused(refused, Reason.OVERLOADED, "20 commands");
    assertThatThrownBy(refused::join)
        .cause()
        .isInstanceOfSatisfying(
            ProposalException.class, e -> assertThat(e.retryAfterMillis()).isEqualTo(7));
    drainLog();
    assertThat(batcher.propose(command("later", 10))).isNotDone();
  }

  @Test
  void tooManyWaitingBytesAreRefused() {
    fillSlots();
    assertThat(batcher.propose(command("a", 2_900))).isNotDone();
    assertThat(batcher.propose(command("b", 2_900))).isNotDone();
    assertRefused(batcher.propose(command("c", 2_900)), Reason.OVERLOADED, "bytes waiting");
    assertThat(batcher.propose(command("d", 100))).isNotDone();
  }

  @Test
  void aFailedEntryFailsItsCommandsAndFreesItsSlot() {
    fillSlots();
    CompletableFuture<CommandResult> first = batcher.propose(command("a", 10));
    complete(log.remove(), 1);
    complete(log.remove(), 2);
    CompletableFuture<CommandResult> next = batcher.propose(command("b", 10));
    Proposal entry = log.remove();
    entry.markAppended();

    entry.fail(ProposalException.unknownOutcome("lost sight", "n2", null));
    entry.fail(ProposalException.of(Reason.CLOSED, "again"));
    complete(entry, 9);

    assertThatThrownBy(first::join)
        .cause()
        .isInstanceOfSatisfying(
            ProposalException.class,
            e -> {
              assertThat(e.reason()).isEqualTo(Reason.UNKNOWN_OUTCOME);
              assertThat(e.maybeApplied()).isTrue();
              assertThat(e.leaderPeerId()).isEqualTo("n2");
            });
    complete(log.remove(), 3);
    assertThat(next).isCompletedWithValue(new Applied(3));
    assertThat(batcher.propose(command("c", 10))).isNotDone();
    assertThat(batcher.propose(command("d", 1_000))).isNotDone();
    assertThat(batcher.propose(command("e", 1_000))).isNotDone();
    assertThat(log).as("its slot was freed once").hasSize(2);
  }

  @Test
  void closingRefusesWhatHasNotLeft() {
    fillSlots();
    CompletableFuture<CommandResult> waiting = batcher.propose(command("a", 10));

    batcher.close();

    assertRefused(waiting, Reason.CLOSED, "closed");
    assertRefused(batcher.propose(command("b", 10)), Reason.CLOSED, "closed");
    complete(log.remove(), 1);
    assertThat(log).hasSize(1);
  }

  @Test
  void anExecutorThatIsShutDownRefusesCommands() {
    ProposalBatcher dead =
        new ProposalBatcher(
            "shard 7",
            OPTIONS,
            () -> null,
            log::add,
            () -> Instant.EPOCH,
            new ProposalThreads(
                task -> {
                  throw new RejectedExecutionException();
                },
                (micros, task) -> timer.add(task)));
    assertRefused(dead.propose(command("a", 10)), Reason.CLOSED, "closed");
  }

  @Test
  void theBytesOfAnEntryAreItsCommandsAndItsTime() {
    var unused = batcher.propose(command("a", 10));
    Proposal proposal = log.remove();
    LogEntry decoded = EntryCodec.decode(proposal.bytes());
    assertThat(decoded.leaderMillis()).isEqualTo(5_000).isEqualTo(proposal.entry().leaderMillis());
    assertThat(EntryCodec.encode(decoded.commands().get(0)))
        .isEqualTo(EntryCodec.encode(proposal.entry().commands().get(0)));
  }

  @Test
  void aLogThatThrowsEndsOnlyTheCommandsOfItsEntry() {
    AtomicBoolean broken = new AtomicBoolean(true);
    ProposalBatcher shaky =
        batcher(
            proposal -> {
              if (broken.get()) {
                throw new StackOverflowError("of the test");
              }
              log.add(proposal);
            });
    for (int i = 0; i < 2 * OPTIONS.entriesInFlight(); i++) {
      assertThatThrownBy(shaky.propose(command("a", 10))::join)
          .cause()
          .isInstanceOfSatisfying(
              ProposalException.class,
              e -> assertThat(e.reason()).isEqualTo(Reason.UNKNOWN_OUTCOME));
    }
    broken.set(false);

    CompletableFuture<CommandResult> next = shaky.propose(command("b", 10));

    complete(log.remove(), 1);
    assertThat(next).isCompletedWithValue(new Applied(1));
  }

  @Test
  void aClockBeforeItsEpochWritesEntriesThatFollowersCanRead() {
    ProposalBatcher early =
        new ProposalBatcher(
            "shard 7", OPTIONS, () -> null, log::add, () -> Instant.ofEpochMilli(-5), now());
    var unused = early.propose(command("a", 10));
    assertThat(EntryCodec.decode(log.remove().bytes()).leaderMillis()).isZero();
  }

  @Test
  void aClientTooManyIsToldToComeLater() {
    CompletableFuture<CommandResult> refused = batcher.propose(command("a", 10));
    log.remove().complete(List.of(new CommandResult.TooManyClients()));
    assertRefused(refused, Reason.OVERLOADED, "as many clients as it can");
  }

  @Test
  void aLogThatAnswersWithinTheCallIsFine() {
    AtomicInteger version = new AtomicInteger();
    ProposalBatcher immediate =
        batcher(
            proposal -> complete(proposal, version.addAndGet(proposal.entry().commands().size())));
    for (int i = 1; i <= 100; i++) {
      assertThat(immediate.propose(command("k", 10))).isCompletedWithValue(new Applied(i));
    }
  }

  @Test
  void manyThreadsShareEntriesAndLoseNothing() throws Exception {
    int threads = 4;
    int each = 2_000;
    ExecutorService pool = Executors.newFixedThreadPool(2);
    ConcurrentLinkedQueue<LogEntry> entries = new ConcurrentLinkedQueue<>();
    ExecutorService raft = Executors.newSingleThreadExecutor();
    ScheduledExecutorService scheduled = Executors.newSingleThreadScheduledExecutor();
    ProposalBatcher shared =
        new ProposalBatcher(
            "shard 7",
            ProposalOptions.DEFAULT,
            () -> null,
            proposal ->
                raft.execute(
                    () -> {
                      entries.add(EntryCodec.decode(proposal.bytes()));
                      complete(proposal, 1);
                    }),
            () -> Instant.EPOCH,
            new ProposalThreads(
                pool,
                (micros, task) -> {
                  var unused = scheduled.schedule(task, micros, TimeUnit.MICROSECONDS);
                }));
    ExecutorService callers = Executors.newFixedThreadPool(threads);
    List<CompletableFuture<Void>> done = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int id = t;
      done.add(
          CompletableFuture.runAsync(
              () -> {
                List<CompletableFuture<CommandResult>> results = new ArrayList<>();
                for (int i = 0; i < each; i++) {
                  results.add(shared.propose(command(id + "-" + i, 10)));
                }
                results.forEach(CompletableFuture::join);
              },
              callers));
    }
    CompletableFuture.allOf(done.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);

    List<String> all = entries.stream().flatMap(e -> keys(e).stream()).toList();
    assertThat(all).hasSize(threads * each).doesNotHaveDuplicates();
    for (int t = 0; t < threads; t++) {
      String prefix = t + "-";
      List<String> mine = all.stream().filter(key -> key.startsWith(prefix)).toList();
      for (int i = 0; i < each; i++) {
        assertThat(mine.get(i)).isEqualTo(prefix + i);
      }
    }
    long total = (long) threads * each;
    assertThat(shared.counts().commands()).isEqualTo(total);
    assertThat(shared.counts().entries()).isEqualTo(entries.size()).isLessThan(total);
    for (ExecutorService service : List.of(pool, raft, callers, scheduled)) {
      service.shutdown();
    }
  }

  private final List<List<String>> drained = new ArrayList<>();

  private void drainLog() {
    while (!log.isEmpty()) {
      drained.add(keys(log.peek().entry()));
      complete(log.remove(), 1);
    }
  }

  private void fillSlots() {
    var unused =
        List.of(batcher.propose(command("slot0", 10)), batcher.propose(command("slot1", 1_000)));
    assertThat(log).hasSize(2);
  }

  private ProposalBatcher batcher(ProposalSink sink) {
    return batcher(OPTIONS, sink);
  }

  private ProposalBatcher batcher(ProposalOptions options, ProposalSink sink) {
    return new ProposalBatcher(
        "shard 7", options, () -> null, sink, () -> Instant.ofEpochMilli(5_000), now());
  }

  /** Whoever asks does the work; timers wait in {@link #timer}. */
  private ProposalThreads now() {
    return new ProposalThreads(Runnable::run, (micros, task) -> timer.add(task));
  }

  private static Command command(String key, int valueBytes) {
    return Command.of(new WriteBatch().put(Slice.utf8(key), Slice.wrap(new byte[valueBytes])));
  }

  /** Ends an entry as the state machine would; versions start with the given one. */
  private static void complete(Proposal proposal, long firstVersion) {
    List<CommandResult> results = new ArrayList<>();
    for (int i = 0; i < proposal.entry().commands().size(); i++) {
      results.add(new Applied(firstVersion + i));
    }
    proposal.complete(results);
  }

  private static List<List<String>> keys(Iterable<Proposal> proposals) {
    List<List<String>> keys = new ArrayList<>();
    proposals.forEach(proposal -> keys.add(keys(proposal.entry())));
    return keys;
  }

  private static List<String> keys(LogEntry entry) {
    return entry.commands().stream()
        .map(command -> command.mutations().mutations().get(0).key().toUtf8())
        .toList();
  }

  private static void assertRefused(
      CompletableFuture<CommandResult> result, Reason reason, String message) {
    assertThatThrownBy(result::join)
        .isInstanceOf(CompletionException.class)
        .cause()
        .hasMessageContaining(message)
        .isInstanceOfSatisfying(
            ProposalException.class,
            e -> {
              assertThat(e.reason()).isEqualTo(reason);
              assertThat(e.maybeApplied()).isFalse();
            });
  }
}
