package io.silkkv.raftsm;

import io.silkkv.engine.api.LogPosition;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** Checkpoints of shards on their way between this node and others. */
@FunctionalInterface
public interface CheckpointInstaller {
  /**
   * Fetches a checkpoint into a directory. What an interrupted fetch left there is used again where
   * it still fits.
   *
   * @param shardId the shard
   * @param fromPeerId the replica to fetch from
   * @param minIndex the checkpoint must reflect the log at least up to here
   * @param incoming directory of this fetch alone; created when missing
   * @return completes when every file is complete, verified and durable, with the position that the
   *     checkpoint reflects; exceptionally when it could not be fetched now
   */
  CompletableFuture<LogPosition> fetch(
      long shardId, String fromPeerId, long minIndex, Path incoming);

  /**
   * Whether another node fetches a checkpoint of the shard from this one, or did a moment ago and
   * is about to ask for the log after it.
   */
  default boolean serves(long shardId) {
    return false;
  }
}
