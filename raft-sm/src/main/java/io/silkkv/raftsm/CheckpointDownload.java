package io.silkkv.raftsm;

import io.silkkv.engine.api.LogPosition;
import io.silkkv.raftsm.apply.ReplicaStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives a checkpoint and leaves it ready to be swapped in. Ratis asks for one at a time, and
 * asks again at heartbeat rate after a failure, so a failure is told to it late. Thread-safe.
 */
final class CheckpointDownload {
  private static final Logger LOG = LoggerFactory.getLogger(CheckpointDownload.class);
  private static final long FIRST_PAUSE_MILLIS = 250;
  private static final long LONGEST_PAUSE_MILLIS = 5_000;

  private final long shardId;
  private final ReplicaStore store;
  private final CheckpointInstaller installer;

  // Written by one attempt at a time.
  private volatile long pauseMillis = FIRST_PAUSE_MILLIS;
  private volatile @Nullable LogPosition received;

  CheckpointDownload(long shardId, ReplicaStore store, CheckpointInstaller installer) {
    this.shardId = shardId;
    this.store = store;
    this.installer = installer;
  }

  /** Position of the checkpoint that was received last; null before the first. */
  @Nullable LogPosition received() {
    return received;
  }

  /** Completes when a checkpoint that reaches {@code minIndex} is ready to be swapped in. */
  CompletableFuture<LogPosition> start(String fromPeerId, long minIndex) {
    LOG.info(
        "shard {}: asking {} for a checkpoint from index {} on", shardId, fromPeerId, minIndex);
    return attempt(fromPeerId, minIndex)
        .exceptionallyCompose(failure -> failLater(fromPeerId, failure));
  }

  private CompletableFuture<LogPosition> failLater(String fromPeerId, Throwable failure) {
    LOG.warn("shard {}: no checkpoint from {}: {}", shardId, fromPeerId, failure.toString());
    long pause = pauseMillis;
    pauseMillis = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
    return CompletableFuture.supplyAsync(
        () -> {
          throw new IllegalStateException("no checkpoint from " + fromPeerId, failure);
        },
        CompletableFuture.delayedExecutor(pause, TimeUnit.MILLISECONDS));
  }

  private CompletableFuture<LogPosition> attempt(String fromPeerId, long minIndex) {
    try {
      return installer
          .fetch(shardId, fromPeerId, minIndex, store.incoming())
          .thenApply(position -> commit(position, fromPeerId, minIndex));
    } catch (RuntimeException failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }

  private LogPosition commit(LogPosition position, String fromPeerId, long minIndex) {
    if (position.index() < minIndex) {
      throw new IllegalStateException(
          "the checkpoint of "
              + fromPeerId
              + " ends at index "
              + position.index()
              + ", before "
              + minIndex);
    }
    try {
      store.commitIncoming();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    received = position;
    pauseMillis = FIRST_PAUSE_MILLIS;
    return position;
  }
}
