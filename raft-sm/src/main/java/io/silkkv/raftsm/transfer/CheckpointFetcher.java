package io.silkkv.raftsm.transfer;

import io.grpc.Channel;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.io.FileSystem;
import io.silkkv.raftsm.transport.ReplicationMeter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;

/**
 * Pulls checkpoints from other nodes. A stream that breaks or stalls is opened again at the offset
 * that was reached; a process that ended in the middle goes on with the first incomplete file, as
 * long as the other node still pins the same checkpoint. Thread-safe; two fetches must not share a
 * directory.
 */
public final class CheckpointFetcher implements AutoCloseable {
  private final FileSystem files;
  private final Function<String, ? extends Channel> channels;
  private final TransferOptions options;
  private final Executor executor;
  private final ReplicationMeter meter;
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * @param channels finds the node that holds a replica, by its peer id
   * @param executor runs fetches; each holds a thread until it ends
   */
  public CheckpointFetcher(
      FileSystem files,
      Function<String, ? extends Channel> channels,
      TransferOptions options,
      Executor executor,
      ReplicationMeter meter) {
    this.files = files;
    this.channels = channels;
    this.options = options;
    this.executor = executor;
    this.meter = meter;
  }

  /**
   * Fetches a checkpoint of a shard into a directory.
   *
   * @param minIndex log index that the checkpoint must reach at least
   * @param incoming directory of this fetch alone; created when missing
   * @return completes when exactly the files of the checkpoint are in the directory, complete and
   *     durable; otherwise completes with a {@link TransferException} or an {@link IOException}
   */
  public CompletableFuture<LogPosition> fetch(
      long shardId, String fromPeerId, long minIndex, Path incoming) {
    CompletableFuture<LogPosition> result = new CompletableFuture<>();
    try {
      executor.execute(
          () -> {
            try {
              Channel channel = channels.apply(fromPeerId);
              Fetch fetch = new Fetch(files, channel, options, meter, closed);
              result.complete(fetch.run(shardId, fromPeerId, minIndex, incoming));
            } catch (IOException | RuntimeException e) {
              result.completeExceptionally(e);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
              result.completeExceptionally(new TransferException("this node is stopping", e));
            } catch (Error e) {
              // Whoever asked waits for an answer, and would for ever.
              result.completeExceptionally(e);
              throw e;
            }
          });
    } catch (RejectedExecutionException e) {
      result.completeExceptionally(new TransferException("this node is stopping", e));
    }
    return result;
  }

  /** Ends the pauses between attempts; the executor's owner interrupts what is under way. */
  @Override
  public void close() {
    closed.countDown();
  }
}
