package io.silkkv.raftsm;

import io.silkkv.engine.api.LogPosition;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** Brings a checkpoint from another replica onto this node. */
@FunctionalInterface
public interface CheckpointInstaller {
  /**
   * Starts to receive a checkpoint. Returns at once: the caller holds Raft's lock.
   *
   * @param shardId the shard
   * @param fromPeerId the replica to ask
   * @param minIndex log index that the checkpoint must reach at least
   * @param incoming directory to create and fill; does not exist
   * @return completes with the position of the checkpoint when all files and the directory are
   *     durable
   */
  CompletableFuture<LogPosition> fetch(
      long shardId, String fromPeerId, long minIndex, Path incoming);
}
