package io.silkkv.raftsm.transfer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.silkkv.engine.api.EngineException;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.io.FileSystem;
import io.silkkv.engine.io.ReadableFile;
import io.silkkv.raftsm.transport.ReplicationMeter;
import io.silkkv.v1.CheckpointFile;
import io.silkkv.v1.FileChunk;
import io.silkkv.v1.OpenCheckpointRequest;
import io.silkkv.v1.OpenCheckpointResponse;
import io.silkkv.v1.ReadFileRequest;
import io.silkkv.v1.ReleaseCheckpointRequest;
import io.silkkv.v1.ReleaseCheckpointResponse;
import io.silkkv.v1.TransferGrpc;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives checkpoints of this node's shards to other nodes. A checkpoint is a directory of hard links
 * under {@code shards/<id>/checkpoints/}; it lives until it is released, nobody has read from it
 * for the idle limit, or the node restarts. Disk work runs on the reader threads. Thread-safe.
 */
public final class CheckpointService extends TransferGrpc.TransferImplBase {
  private static final Logger LOG = LoggerFactory.getLogger(CheckpointService.class);
  private static final String CHECKPOINTS = "checkpoints";

  /** Time to take a checkpoint, and time to swap it in and ask for the log after it. */
  private static final Duration MOMENT = Duration.ofSeconds(60);

  /**
   * What the service works with.
   *
   * @param files the file system of the data directory
   * @param shardsDirectory parent of all shard directories
   * @param readers runs disk reads
   * @param nanoTime a clock that never goes back
   */
  public record Environment(
      FileSystem files,
      Path shardsDirectory,
      TransferOptions options,
      Executor readers,
      ReplicationMeter meter,
      LongSupplier nanoTime) {}

  private final Environment environment;
  private final FileSystem files;
  private final LongFunction<@Nullable CheckpointSource> shards;

  @GuardedBy("this")
  private final Map<String, Pin> pins = new HashMap<>();

  /** When a checkpoint of a shard was asked for or released last, by the nano clock. */
  @GuardedBy("this")
  private final Map<Long, Long> servedAt = new HashMap<>();

  /** Checkpoints that are being taken; they count as pins. */
  @GuardedBy("this")
  private int opening;

  /**
   * @param shards finds a shard of this node by its id; null for an unknown one
   */
  public CheckpointService(
      Environment environment, LongFunction<@Nullable CheckpointSource> shards) {
    this.environment = environment;
    this.files = environment.files();
    this.shards = shards;
  }

  /** Removes the checkpoints of an earlier process. Call before the service is reachable. */
  public void removeStale() throws IOException {
    if (!files.exists(environment.shardsDirectory())) {
      return;
    }
    for (String shard : files.list(environment.shardsDirectory())) {
      Path checkpoints = environment.shardsDirectory().resolve(shard).resolve(CHECKPOINTS);
      if (files.exists(checkpoints)) {
        for (String id : files.list(checkpoints)) {
          LOG.info("removing checkpoint {} of shard {}: left by an earlier process", id, shard);
          Directories.delete(files, checkpoints.resolve(id));
        }
      }
    }
  }

  /** Ends pins that nobody used for the idle limit. Call every second or so. */
  public void tick() {
    long now = environment.nanoTime().getAsLong();
    long limit = environment.options().idleLimit().toNanos();
    List<Pin> idle = new ArrayList<>();
    synchronized (this) {
      pins.values().removeIf(pin -> pin.idleSince(now, limit) && idle.add(pin));
    }
    for (Pin pin : idle) {
      LOG.info("checkpoint {} ends: nobody reads it", pin.id());
      remove(pin);
    }
  }

  /**
   * Whether a checkpoint of the shard is pinned, or was asked for or released a moment ago: its
   * receiver will need the log after it.
   */
  public synchronized boolean serves(long shardId) {
    for (Pin pin : pins.values()) {
      if (pin.shardId() == shardId) {
        return true;
      }
    }
    Long last = servedAt.get(shardId);
    return last != null && environment.nanoTime().getAsLong() - last < MOMENT.toNanos();
  }

  /** How many checkpoints are pinned. */
  public synchronized int pinned() {
    return pins.size();
  }

  @Override
  public void openCheckpoint(
      OpenCheckpointRequest request, StreamObserver<OpenCheckpointResponse> observer) {
    long shardId = request.getShardId();
    CheckpointSource source = shards.apply(shardId);
    if (source == null) {
      observer.onError(
          status(Status.NOT_FOUND, "shard " + shardId + " has no replica on this node"));
      return;
    }
    tick();
    synchronized (this) {
      if (pins.size() + opening >= environment.options().maxCheckpoints()) {
        observer.onError(
            status(
                Status.RESOURCE_EXHAUSTED,
                "this node gives out "
                    + pins.size()
                    + " checkpoints already; try again later or at another replica"));
        return;
      }
      opening++;
      servedAt.put(shardId, environment.nanoTime().getAsLong());
    }
    // From here on opened() or the failure branch gives the place back, whatever happens.
    CompletableFuture<OpenCheckpointResponse> unused =
        reach(source, request.getMinIndex())
            .thenApplyAsync(position -> take(shardId, source, request.getMinIndex()), this::execute)
            .whenComplete(
                (response, failure) -> {
                  synchronized (this) {
                    opening--;
                  }
                  if (failure == null) {
                    observer.onNext(response);
                    observer.onCompleted();
                  } else {
                    observer.onError(explain(shardId, failure));
                  }
                });
  }

  private void execute(Runnable task) {
    environment.readers().execute(task);
  }

  private CompletableFuture<LogPosition> reach(CheckpointSource source, long minIndex) {
    try {
      LogPosition flushed = source.engine().flushed();
      return flushed.index() >= Math.max(0, minIndex)
          ? CompletableFuture.completedFuture(flushed)
          : source.flush().get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private OpenCheckpointResponse take(long shardId, CheckpointSource source, long minIndex) {
    UUID id = UUID.randomUUID();
    Path parent =
        environment.shardsDirectory().resolve(Long.toString(shardId)).resolve(CHECKPOINTS);
    Path directory = parent.resolve(id.toString());
    try {
      files.createDirectories(parent);
      LogPosition position = source.engine().checkpoint(directory);
      Map<String, Long> sizes = new TreeMap<>();
      for (String name : files.list(directory)) {
        sizes.put(name, files.size(directory.resolve(name)));
      }
      Pin pin =
          new Pin(id, shardId, directory, position, sizes, environment.nanoTime().getAsLong());
      if (position.index() < minIndex) {
        remove(pin);
        throw status(
            Status.FAILED_PRECONDITION,
            "shard "
                + shardId
                + " is flushed up to index "
                + position.index()
                + " here, before "
                + minIndex);
      }
      synchronized (this) {
        pins.put(id.toString(), pin);
      }
      LOG.info("checkpoint {} of shard {} at {}: {} files", id, shardId, position, sizes.size());
      return response(pin);
    } catch (IOException e) {
      throw status(Status.INTERNAL, "cannot take a checkpoint of shard " + shardId + ": " + e);
    }
  }

  private static OpenCheckpointResponse response(Pin pin) {
    OpenCheckpointResponse.Builder response =
        OpenCheckpointResponse.newBuilder()
            .setCheckpointId(pin.id().toString())
            .setTerm(pin.position().term())
            .setIndex(pin.position().index())
            .setSequence(pin.position().sequence());
    new TreeMap<>(pin.files())
        .forEach(
            (name, size) ->
                response.addFiles(CheckpointFile.newBuilder().setName(name).setSize(size)));
    return response.build();
  }

  @Override
  public void readFile(ReadFileRequest request, StreamObserver<FileChunk> observer) {
    Pin pin;
    synchronized (this) {
      pin = pins.get(request.getCheckpointId());
    }
    if (pin == null) {
      observer.onError(unknown(request.getCheckpointId()));
      return;
    }
    // Only names that the checkpoint has: a name is never a path of the caller's choice.
    Long size = pin.files().get(request.getName());
    if (size == null || request.getOffset() < 0 || request.getOffset() > size) {
      observer.onError(
          status(
              Status.INVALID_ARGUMENT,
              "checkpoint "
                  + pin.id()
                  + " has no file '"
                  + request.getName()
                  + "' with offset "
                  + request.getOffset()));
      return;
    }
    pin.used(environment.nanoTime().getAsLong());
    try {
      ReadableFile file = files.openUncached(pin.directory().resolve(request.getName()));
      ServerCallStreamObserver<FileChunk> receiver = (ServerCallStreamObserver<FileChunk>) observer;
      FileStream stream =
          new FileStream(pin, request.getName(), file, request.getOffset(), receiver, environment);
      receiver.setOnReadyHandler(stream::wake);
      receiver.setOnCancelHandler(stream::wake);
      pin.addReader(stream);
      stream.wake();
    } catch (IOException e) {
      observer.onError(status(Status.INTERNAL, "cannot open " + request.getName() + ": " + e));
    }
  }

  @Override
  public void releaseCheckpoint(
      ReleaseCheckpointRequest request, StreamObserver<ReleaseCheckpointResponse> observer) {
    Pin pin;
    synchronized (this) {
      pin = pins.remove(request.getCheckpointId());
      if (pin != null) {
        servedAt.put(pin.shardId(), environment.nanoTime().getAsLong());
      }
    }
    try {
      environment
          .readers()
          .execute(
              () -> {
                if (pin != null) {
                  remove(pin);
                }
                observer.onNext(ReleaseCheckpointResponse.getDefaultInstance());
                observer.onCompleted();
              });
    } catch (RejectedExecutionException stopping) {
      observer.onError(status(Status.UNAVAILABLE, "this node is stopping"));
    }
  }

  /** A directory that cannot be removed costs disk space until the next start, nothing else. */
  private void remove(Pin pin) {
    pin.release();
    try {
      Directories.delete(files, pin.directory());
    } catch (IOException e) {
      LOG.warn("cannot remove checkpoint {}; the next start does", pin.directory(), e);
    }
  }

  static StatusRuntimeException unknown(String checkpointId) {
    return status(
        Status.NOT_FOUND, "checkpoint '" + checkpointId + "' is not pinned here (any more)");
  }

  private static StatusRuntimeException status(Status status, String description) {
    return status.withDescription(description).asRuntimeException();
  }

  private static StatusRuntimeException explain(long shardId, Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof StatusRuntimeException status) {
      return status;
    }
    LOG.warn("cannot take a checkpoint of shard {}", shardId, cause);
    Status status =
        cause instanceof EngineException || cause instanceof RejectedExecutionException
            ? Status.UNAVAILABLE
            : Status.INTERNAL;
    return status(status, "cannot take a checkpoint of shard " + shardId + ": " + cause);
  }
}
