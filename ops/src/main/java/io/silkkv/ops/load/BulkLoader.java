package io.silkkv.ops.load;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps many puts in flight, and knows up to which line all of them are acknowledged.
 *
 * <p>Two lines with the same key are never in flight together, so that the later one wins.
 *
 * <p>{@link #run} is for one thread; acknowledgements come on the client's threads; {@link
 * #acknowledged} is for any thread.
 */
public final class BulkLoader {
  private final LoadReader reader;
  private final RecordSink sink;
  private final Options options;
  private final Consumer<LoadLine.Unreadable> onSkipped;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  @GuardedBy("lock")
  private final Deque<Pending> pending = new ArrayDeque<>();

  @GuardedBy("lock")
  private final Set<ByteBuffer> keysInFlight = new HashSet<>();

  @GuardedBy("lock")
  private long bytesInFlight;

  @GuardedBy("lock")
  private int putsInFlight;

  @GuardedBy("lock")
  private @Nullable OpsException failure;

  @GuardedBy("lock")
  private Totals totals;

  /**
   * @param inFlight most puts in flight
   * @param inFlightBytes most bytes of keys and values in flight; a larger record goes alone
   * @param skipUnreadable whether to pass over lines that cannot be used, instead of stopping
   */
  public record Options(int inFlight, long inFlightBytes, boolean skipUnreadable) {}

  /** Everything before a position, see {@link LoadState}. */
  public record Totals(long offset, long lines, long loaded, long skipped) {
    /** The beginning of a file. */
    public static final Totals NONE = new Totals(0, 0, 0, 0);

    private Totals after(LoadLine line, boolean wasLoaded) {
      return new Totals(
          line.endOffset(),
          line.number(),
          loaded + (wasLoaded ? 1 : 0),
          skipped + (wasLoaded ? 0 : 1));
    }
  }

  private enum Outcome {
    IN_FLIGHT,
    LOADED,
    SKIPPED,
    FAILED
  }

  /** A line that is not yet part of the totals, in file order; guarded by the loader's lock. */
  private static final class Pending {
    private final LoadLine line;
    private Outcome outcome;

    Pending(LoadLine line, Outcome outcome) {
      this.line = line;
      this.outcome = outcome;
    }
  }

  /**
   * @param reader stands where {@code start} ends
   * @param onSkipped told about each line that is passed over; called with the loader's lock held
   */
  public BulkLoader(
      LoadReader reader,
      RecordSink sink,
      Options options,
      Totals start,
      Consumer<LoadLine.Unreadable> onSkipped) {
    this.reader = reader;
    this.sink = sink;
    this.options = options;
    this.totals = start;
    this.onSkipped = onSkipped;
  }

  /** Everything up to here is acknowledged or was passed over. */
  public Totals acknowledged() {
    lock.lock();
    try {
      return totals;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Loads the rest of the file.
   *
   * @throws OpsException for an unreadable line that is not to be skipped, and when the cluster
   *     gives up; nothing is in flight any more then
   */
  public Totals run() throws IOException, InterruptedException {
    for (@Nullable LoadLine line = reader.next(); line != null; line = reader.next()) {
      if (line instanceof LoadLine.Entry entry) {
        Pending waiting = admit(entry);
        if (waiting == null) {
          break;
        }
        CompletableFuture<Void> unused =
            sink.put(entry.key(), entry.value())
                .whenComplete((done, error) -> completed(waiting, entry, error));
      } else if (line instanceof LoadLine.Unreadable bad && !passOver(bad)) {
        break;
      }
    }
    return drain();
  }

  /** Waits for a free place; null when the load has failed. */
  private @Nullable Pending admit(LoadLine.Entry entry) throws InterruptedException {
    ByteBuffer key = ByteBuffer.wrap(entry.key());
    long size = (long) entry.key().length + entry.value().length;
    lock.lock();
    try {
      while (failure == null
          && (putsInFlight >= options.inFlight()
              || (putsInFlight > 0 && bytesInFlight + size > options.inFlightBytes())
              || keysInFlight.contains(key))) {
        changed.await();
      }
      if (failure != null) {
        return null;
      }
      Pending waiting = new Pending(entry, Outcome.IN_FLIGHT);
      pending.addLast(waiting);
      keysInFlight.add(key);
      putsInFlight++;
      bytesInFlight += size;
      return waiting;
    } finally {
      lock.unlock();
    }
  }

  private void completed(Pending waiting, LoadLine.Entry entry, @Nullable Throwable error) {
    Throwable cause = error instanceof CompletionException ? error.getCause() : error;
    lock.lock();
    try {
      putsInFlight--;
      bytesInFlight -= (long) entry.key().length + entry.value().length;
      keysInFlight.remove(ByteBuffer.wrap(entry.key()));
      if (cause == null) {
        waiting.outcome = Outcome.LOADED;
      } else if (cause instanceof RefusedRecordException refused) {
        LoadLine.Unreadable bad =
            new LoadLine.Unreadable(
                entry.number(), entry.endOffset(), String.valueOf(refused.getMessage()));
        waiting.outcome = judge(bad);
      } else {
        waiting.outcome = Outcome.FAILED;
        fail(
            ExitCode.UNAVAILABLE,
            "line "
                + entry.number()
                + " was not acknowledged: "
                + cause.getMessage()
                + ". Run the same command again to go on from here",
            cause);
      }
      advance();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether the load may go on after a line that cannot be used. */
  private boolean passOver(LoadLine.Unreadable bad) {
    lock.lock();
    try {
      pending.addLast(new Pending(bad, judge(bad)));
      advance();
      return failure == null;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private Outcome judge(LoadLine.Unreadable bad) {
    if (options.skipUnreadable()) {
      onSkipped.accept(bad);
      return Outcome.SKIPPED;
    }
    fail(
        ExitCode.BAD_INPUT,
        "line "
            + bad.number()
            + ": "
            + bad.reason()
            + ". Mend it and run the same command again, or pass over such lines with --on-error"
            + " skip",
        null);
    return Outcome.FAILED;
  }

  /** The first failure stays: later ones are its echo. */
  @GuardedBy("lock")
  private void fail(int exitCode, String message, @Nullable Throwable cause) {
    if (failure == null) {
      failure = new OpsException(exitCode, message, cause);
    }
  }

  @GuardedBy("lock")
  private void advance() {
    while (!pending.isEmpty()) {
      Outcome outcome = pending.getFirst().outcome;
      if (outcome == Outcome.IN_FLIGHT || outcome == Outcome.FAILED) {
        return;
      }
      totals = totals.after(pending.removeFirst().line, outcome == Outcome.LOADED);
    }
  }

  private Totals drain() throws InterruptedException {
    lock.lock();
    try {
      while (putsInFlight > 0) {
        changed.await();
      }
      if (failure != null) {
        throw failure;
      }
      return totals;
    } finally {
      lock.unlock();
    }
  }
}
