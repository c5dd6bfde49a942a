package io.silkkv.raftsm;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.raftsm.ProposalException.Reason;
import io.silkkv.raftsm.command.Command;
import io.silkkv.raftsm.command.CommandResult;
import io.silkkv.raftsm.command.EntryCodec;
import io.silkkv.raftsm.command.LogEntry;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Packs the concurrent commands of a shard into shared log entries. While no entry is in flight, a
 * batch is closed at once; while some are, it is closed when it fills an entry and fewer than the
 * allowed ones are in flight (the rule that TCP uses for small segments). A lone command leaves at
 * once, under load they gather while the entry before them is written and replicated, and a bulk
 * load still keeps several full entries under way. What an entry costs is itself, not its bytes, so
 * two half-full ones are slower than one: after an entry ended, the next one waits a moment for the
 * callers that it answered, see {@link ReturnWait}.
 *
 * <p>Entries are closed and handed over by one task at a time on a shared executor, not by the
 * callers: waking that task takes a moment in which other callers join the batch, and a caller
 * never waits for the log.
 *
 * <p>Thread-safe. The lock is a leaf: nothing is called while it is held.
 */
final class ProposalBatcher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProposalBatcher.class);

  private final String shard;
  private final ProposalOptions options;
  private final Supplier<@Nullable ProposalException> admission;
  private final ProposalSink sink;
  private final InstantSource clock;
  private final ProposalThreads threads;

  private final Object lock = new Object();

  @GuardedBy("lock")
  private final ArrayDeque<Proposal.Waiting> queue = new ArrayDeque<>();

  @GuardedBy("lock")
  private long queuedBytes;

  @GuardedBy("lock")
  private int inFlight;

  @GuardedBy("lock")
  private final ReturnWait wait = new ReturnWait();

  /** Whether the task is scheduled or running. */
  @GuardedBy("lock")
  private boolean draining;

  @GuardedBy("lock")
  private boolean closed;

  @GuardedBy("lock")
  private long proposedCommands;

  @GuardedBy("lock")
  private long proposedEntries;

  /** Commands and the entries that they shared. */
  record Counts(long commands, long entries) {}

  /**
   * @param shard the shard, for messages
   * @param admission why no command may come now; null when one may. Asked after the size of the
   *     command: who is refused for good must not be told to try again
   */
  ProposalBatcher(
      String shard,
      ProposalOptions options,
      Supplier<@Nullable ProposalException> admission,
      ProposalSink sink,
      InstantSource clock,
      ProposalThreads threads) {
    this.shard = shard;
    this.options = options;
    this.admission = admission;
    this.sink = sink;
    this.clock = clock;
    this.threads = threads;
  }

  /** Completes when the command is applied on this replica, or with a {@link ProposalException}. */
  CompletableFuture<CommandResult> propose(Command command) {
    byte[] encoded = EntryCodec.encode(command);
    if (encoded.length > options.commandBytes()) {
      return refused(
          ProposalException.of(
              Reason.TOO_LARGE,
              "a command of "
                  + encoded.length
                  + " bytes is larger than the limit of "
                  + options.commandBytes()
                  + "; split it"));
    }
    ProposalException refusal = admission.get();
    if (refusal != null) {
      return refused(refusal);
    }
    Proposal.Waiting caller = new Proposal.Waiting(command, encoded);
    boolean wake;
    synchronized (lock) {
      if (closed) {
        return refused(ProposalException.of(Reason.CLOSED, shard + " is closed on this node"));
      }
      if (queue.size() >= options.queuedCommands()
          || queuedBytes + encoded.length > options.queuedBytes()) {
        return refused(
            ProposalException.retryAfter(
                Reason.OVERLOADED,
                options.retryMillis(),
                shard
                    + " has "
                    + queue.size()
                    + " commands of "
                    + queuedBytes
                    + " bytes waiting; retry later"));
      }
      queue.add(caller);
      queuedBytes += encoded.length;
      wake = !draining && mayLeave();
      draining |= wake;
    }
    if (wake) {
      schedule();
    }
    return caller.future();
  }

  Counts counts() {
    synchronized (lock) {
      return new Counts(proposedCommands, proposedEntries);
    }
  }

  /** Refuses what waits and what comes; entries in flight end through the log. */
  @Override
  public void close() {
    List<Proposal.Waiting> refused;
    synchronized (lock) {
      closed = true;
      refused = new ArrayList<>(queue);
      queue.clear();
      queuedBytes = 0;
    }
    ProposalException why =
        ProposalException.of(Reason.CLOSED, shard + " was closed before the command left");
    for (Proposal.Waiting caller : refused) {
      caller.future().completeExceptionally(why);
    }
  }

  private void schedule() {
    try {
      threads.execute(this::drain);
    } catch (RejectedExecutionException shutDown) {
      close();
    }
  }

  /** Closes entries until all slots are taken or nothing waits. */
  private void drain() {
    for (List<Proposal.Waiting> batch = take(); batch != null; batch = take()) {
      // What is thrown here must end these callers only: an entry that never ends takes a slot for
      // ever, and a task that never ends takes them all.
      Proposal proposal = null;
      try {
        proposal = close(batch);
        sink.append(proposal);
      } catch (RuntimeException | Error failure) {
        LOG.error("{}: handing an entry to the log failed", shard, failure);
        fail(batch, proposal, failure);
      }
    }
  }

  private Proposal close(List<Proposal.Waiting> batch) {
    List<byte[]> encoded = new ArrayList<>(batch.size());
    List<Command> commands = new ArrayList<>(batch.size());
    for (Proposal.Waiting waiting : batch) {
      encoded.add(waiting.encoded());
      commands.add(waiting.command());
    }
    // The format has no times before 1970, which a clock that was never set may show.
    long now = Math.max(0, clock.millis());
    return new Proposal(
        EntryCodec.entry(now, encoded),
        new LogEntry(now, commands),
        batch,
        () -> slotFree(batch.size()));
  }

  private void fail(List<Proposal.Waiting> batch, @Nullable Proposal proposal, Throwable failure) {
    ProposalException why =
        ProposalException.unknownOutcome(
            shard + ": handing the command to the log failed; retry", null, failure);
    if (proposal != null) {
      proposal.fail(why);
      return;
    }
    slotFree(batch.size());
    for (Proposal.Waiting waiting : batch) {
      waiting.future().completeExceptionally(why);
    }
  }

  /** The commands of the next entry; null when none may leave now, which ends the task. */
  private @Nullable List<Proposal.Waiting> take() {
    synchronized (lock) {
      if (!mayLeave()) {
        draining = false;
        return null;
      }
      List<Proposal.Waiting> batch = new ArrayList<>();
      long bytes = 0;
      do {
        Proposal.Waiting next = queue.remove();
        batch.add(next);
        bytes += next.encoded().length;
      } while (!queue.isEmpty() && bytes + queue.peek().encoded().length <= options.entryBytes());
      queuedBytes -= bytes;
      wait.end();
      inFlight++;
      proposedCommands += batch.size();
      proposedEntries++;
      return batch;
    }
  }

  /** Whether an entry may be closed now. */
  @GuardedBy("lock")
  private boolean mayLeave() {
    if (queue.isEmpty()) {
      return false;
    }
    if (queuedBytes >= options.entryBytes()) {
      return inFlight < options.entriesInFlight();
    }
    return inFlight == 0 && !wait.holds(queue.size());
  }

  /**
   * @param answered commands of the entry that has ended
   */
  private void slotFree(int answered) {
    boolean wake;
    boolean waits;
    long number;
    synchronized (lock) {
      inFlight--;
      waits =
          options.returnWaitMicros() > 0
              && inFlight == 0
              && !closed
              && wait.begin(answered, queue.size());
      number = wait.number();
      wake = !draining && mayLeave();
      draining |= wake;
    }
    if (wake) {
      schedule();
    } else if (waits) {
      startTimer(number);
    }
  }

  private void startTimer(long number) {
    try {
      threads.after(options.returnWaitMicros(), () -> waitOver(number));
    } catch (RejectedExecutionException shutDown) {
      waitOver(number);
    }
  }

  private void waitOver(long number) {
    boolean wake;
    synchronized (lock) {
      wait.expire(number);
      wake = !draining && mayLeave();
      draining |= wake;
    }
    if (wake) {
      schedule();
    }
  }

  private static <T> CompletableFuture<T> refused(ProposalException why) {
    return CompletableFuture.failedFuture(why);
  }
}
