package io.silkkv.raftsm;

import io.silkkv.raftsm.command.Command;
import io.silkkv.raftsm.command.CommandResult;
import io.silkkv.raftsm.command.LogEntry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A log entry on its way at the leader: from the batcher through Raft to the state machine, which
 * finds it again in Raft's transaction context and so need not decode it. It ends once, by {@link
 * #complete} or {@link #fail}, whichever comes first. Thread-safe.
 */
final class Proposal {
  private static final long TOO_MANY_CLIENTS_RETRY_MILLIS = 1_000;

  private final byte[] bytes;
  private final LogEntry entry;
  private final List<Waiting> waiting;
  private final Runnable whenDone;
  private final AtomicBoolean done = new AtomicBoolean();
  private volatile boolean appended;

  /** A command whose caller waits. */
  static final class Waiting {
    private final Command command;
    private final byte[] encoded;
    private final CompletableFuture<CommandResult> future = new CompletableFuture<>();

    Waiting(Command command, byte[] encoded) {
      this.command = command;
      this.encoded = encoded;
    }

    Command command() {
      return command;
    }

    byte[] encoded() {
      return encoded;
    }

    CompletableFuture<CommandResult> future() {
      return future;
    }
  }

  /**
   * @param whenDone called once, before the callers learn the outcome: their continuations may take
   *     a while
   */
  Proposal(byte[] bytes, LogEntry entry, List<Waiting> waiting, Runnable whenDone) {
    this.bytes = bytes;
    this.entry = entry;
    this.waiting = waiting;
    this.whenDone = whenDone;
  }

  byte[] bytes() {
    return bytes;
  }

  LogEntry entry() {
    return entry;
  }

  /** From now on nobody can say that the entry will never be applied. */
  void markAppended() {
    appended = true;
  }

  boolean appended() {
    return appended;
  }

  boolean isDone() {
    return done.get();
  }

  /** The entry is applied; one result per command. */
  void complete(List<CommandResult> results) {
    if (done.compareAndSet(false, true)) {
      whenDone.run();
      for (int i = 0; i < waiting.size(); i++) {
        CompletableFuture<CommandResult> future = waiting.get(i).future();
        if (results.get(i) instanceof CommandResult.TooManyClients) {
          future.completeExceptionally(tooManyClients());
        } else {
          future.complete(results.get(i));
        }
      }
    }
  }

  private static ProposalException tooManyClients() {
    return ProposalException.retryAfter(
        ProposalException.Reason.OVERLOADED,
        TOO_MANY_CLIENTS_RETRY_MILLIS,
        "the shard remembers as many clients as it can; let fewer clients, which live longer, write"
            + " to it, or write without a session");
  }

  /** The entry was refused or lost sight of. */
  void fail(ProposalException why) {
    if (done.compareAndSet(false, true)) {
      whenDone.run();
      for (Waiting caller : waiting) {
        caller.future().completeExceptionally(why);
      }
    }
  }
}
