package io.silkkv.raftsm;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.raftsm.apply.ReplicaStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives a checkpoint and leaves it ready to be swapped in.
 *
 * <p>Ratis asks for one at a time, and asks again at heartbeat rate after a failure, so a failure
 * is told to it late. Until it is told of a failure, it waits for the checkpoint of the leader that
 * it asked for, and refuses the entries of any later leader. So a new leader ends the attempt at
 * once. Only when the checkpoint is ready already, nothing can be taken back: if no leader lets
 * Ratis install it, the process must restart, which swaps it in.
 *
 * <p>Thread-safe. The lock is a leaf: Ratis holds its own when it calls.
 */
final class CheckpointDownload implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CheckpointDownload.class);
  private static final long FIRST_PAUSE_MILLIS = 250;
  private static final long LONGEST_PAUSE_MILLIS = 5_000;

  private final long shardId;
  private final ReplicaStore store;
  private final CheckpointInstaller installer;
  private final ReplicaListener listener;
  private final Executor installLimit;

  /** What Ratis waits for; null when the attempt was given up or its checkpoint is ready. */
  @GuardedBy("this")
  private @Nullable Attempt current;

  /** A checkpoint that is ready and not installed. */
  @GuardedBy("this")
  private @Nullable Attempt ready;

  /** Ends with the last attempt's use of the incoming directory. */
  @GuardedBy("this")
  private CompletableFuture<Void> directoryFree = CompletableFuture.completedFuture(null);

  // Written by one attempt at a time.
  private volatile long pauseMillis = FIRST_PAUSE_MILLIS;
  private volatile @Nullable LogPosition received;

  /** One request of Ratis and the answer that it waits for. Compared by identity. */
  private static final class Attempt {
    private final String from;
    private final long minIndex;
    private final CompletableFuture<LogPosition> answer = new CompletableFuture<>();

    Attempt(String from, long minIndex) {
      this.from = from;
      this.minIndex = minIndex;
    }
  }

  /**
   * @param listener told when a checkpoint is ready and Ratis does not install it
   * @param installLimit runs a task after the time in which a new leader makes Ratis install a
   *     ready checkpoint
   */
  CheckpointDownload(
      long shardId,
      ReplicaStore store,
      CheckpointInstaller installer,
      ReplicaListener listener,
      Executor installLimit) {
    this.shardId = shardId;
    this.store = store;
    this.installer = installer;
    this.listener = listener;
    this.installLimit = installLimit;
  }

  /** The production value of the constructor's argument. */
  static Executor after(Duration limit) {
    return CompletableFuture.delayedExecutor(limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Completes when a checkpoint that reaches {@code minIndex} is ready to be swapped in. */
  CompletableFuture<LogPosition> start(String fromPeerId, long minIndex) {
    LOG.info(
        "shard {}: asking {} for a checkpoint from index {} on", shardId, fromPeerId, minIndex);
    Attempt attempt = new Attempt(fromPeerId, minIndex);
    CompletableFuture<Void> ended = new CompletableFuture<>();
    CompletableFuture<Void> before;
    synchronized (this) {
      before = directoryFree;
      directoryFree = ended;
      current = attempt;
    }
    CompletableFuture<LogPosition> unused =
        before
            .thenCompose(free -> fetch(attempt))
            .thenApply(position -> commit(attempt, position))
            .whenComplete(
                (position, failure) -> {
                  ended.complete(null);
                  if (failure == null) {
                    attempt.answer.complete(position);
                  } else {
                    failLater(attempt, failure);
                  }
                });
    return attempt.answer;
  }

  /** A leader is known; called whenever it is another one than before. */
  void leaderIs(String peerId) {
    Attempt givenUp = null;
    Attempt waiting;
    synchronized (this) {
      if (current != null && !current.from.equals(peerId)) {
        givenUp = current;
        current = null;
      }
      waiting = ready;
    }
    if (givenUp != null) {
      LOG.info("shard {}: giving up the checkpoint of {}", shardId, givenUp.from);
      givenUp.answer.completeExceptionally(
          new IllegalStateException("the leader is now " + peerId));
    }
    if (waiting != null && !waiting.from.equals(peerId)) {
      installLimit.execute(() -> requireInstalled(waiting));
    }
  }

  /**
   * Ratis installs the checkpoint that was received last.
   *
   * @return its position; null when none was received
   */
  @Nullable LogPosition install() {
    synchronized (this) {
      ready = null;
    }
    return received;
  }

  /** The replica stops. */
  @Override
  public void close() {
    synchronized (this) {
      current = null;
      ready = null;
    }
  }

  private void requireInstalled(Attempt waiting) {
    synchronized (this) {
      if (ready != waiting) {
        return;
      }
    }
    listener.fatal(
        "shard " + shardId + " received a checkpoint that Raft does not install",
        new IllegalStateException(
            "the leader changed after "
                + waiting.from
                + " had given the checkpoint; the next start installs it"));
  }

  private CompletableFuture<LogPosition> fetch(Attempt attempt) {
    requireCurrent(attempt);
    return installer.fetch(shardId, attempt.from, attempt.minIndex, store.incoming());
  }

  private LogPosition commit(Attempt attempt, LogPosition position) {
    if (position.index() < attempt.minIndex) {
      throw new IllegalStateException(
          "the checkpoint of "
              + attempt.from
              + " ends at index "
              + position.index()
              + ", before "
              + attempt.minIndex);
    }
    synchronized (this) {
      requireCurrent(attempt);
      current = null;
      ready = attempt;
    }
    try {
      // Outside of the lock: this waits for the entry that is being applied.
      store.commitIncoming();
    } catch (IOException | RuntimeException failure) {
      synchronized (this) {
        ready = ready == attempt ? null : ready;
      }
      throw failure instanceof IOException io
          ? new UncheckedIOException(io)
          : (RuntimeException) failure;
    }
    received = position;
    pauseMillis = FIRST_PAUSE_MILLIS;
    return position;
  }

  private synchronized void requireCurrent(Attempt attempt) {
    if (current != attempt) {
      throw new IllegalStateException("the leader is not " + attempt.from + " any more");
    }
  }

  private void failLater(Attempt attempt, Throwable failure) {
    if (attempt.answer.isDone()) {
      return;
    }
    LOG.warn("shard {}: no checkpoint from {}: {}", shardId, attempt.from, failure.toString());
    long pause = pauseMillis;
    pauseMillis = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
    CompletableFuture.delayedExecutor(pause, TimeUnit.MILLISECONDS)
        .execute(
            () ->
                attempt.answer.completeExceptionally(
                    new IllegalStateException("no checkpoint from " + attempt.from, failure)));
  }
}
