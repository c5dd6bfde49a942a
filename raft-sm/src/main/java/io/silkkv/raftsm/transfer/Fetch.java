package io.silkkv.raftsm.transfer;

import com.google.protobuf.ByteString;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.BlockingClientCall;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.io.FileSystem;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.WritableFile;
import io.silkkv.raftsm.transfer.FetchPlan.Item;
import io.silkkv.raftsm.transport.ReplicationMeter;
import io.silkkv.v1.FileChunk;
import io.silkkv.v1.OpenCheckpointRequest;
import io.silkkv.v1.ReadFileRequest;
import io.silkkv.v1.ReleaseCheckpointRequest;
import io.silkkv.v1.TransferGrpc;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One fetch of a checkpoint; blocks its thread. Local disk errors end it, remote ones are retried.
 */
final class Fetch {
  private static final Logger LOG = LoggerFactory.getLogger(Fetch.class);

  /** The other node may have to flush first. */
  private static final long OPEN_SECONDS = 60;

  private static final long RELEASE_SECONDS = 5;

  /** The other node does not pin this checkpoint any more. */
  private static final class CheckpointGone extends Exception {
    private static final long serialVersionUID = 1L;

    CheckpointGone(Throwable cause) {
      super(cause);
    }
  }

  /** An attempt failed for a reason that may pass. */
  private static final class AttemptFailed extends Exception {
    private static final long serialVersionUID = 1L;

    private final String what;

    AttemptFailed(String what, @Nullable Throwable cause) {
      super(what, cause);
      this.what = what;
    }
  }

  private final FileSystem files;
  private final Channel channel;
  private final TransferOptions options;
  private final ReplicationMeter meter;
  private final CountDownLatch closed;

  Fetch(
      FileSystem files,
      Channel channel,
      TransferOptions options,
      ReplicationMeter meter,
      CountDownLatch closed) {
    this.files = files;
    this.channel = channel;
    this.options = options;
    this.meter = meter;
    this.closed = closed;
  }

  LogPosition run(long shardId, String peerId, long minIndex, Path directory)
      throws IOException, InterruptedException {
    files.createDirectories(directory);
    FetchPlan plan = null;
    Set<String> done = new HashSet<>();
    FetchJournal.Left left = FetchJournal.read(files, directory);
    if (left != null
        && left.plan().peerId().equals(peerId)
        && left.plan().position().index() >= minIndex) {
      plan = left.plan();
      done = left.done();
    }
    for (int gone = 0; ; gone++) {
      if (plan == null) {
        plan = open(shardId, peerId, minIndex);
        done = new HashSet<>();
      }
      keepOnly(directory, plan, done);
      try {
        receiveAll(plan, done, directory);
        release(plan);
        return plan.position();
      } catch (CheckpointGone e) {
        LOG.info("checkpoint {} of {} is gone: starting again", plan.checkpointId(), peerId);
        if (gone >= options.maxAttempts()) {
          throw new TransferException(
              peerId + " dropped its checkpoint of shard " + shardId + " again and again", e);
        }
        plan = null;
      }
    }
  }

  private FetchPlan open(long shardId, String peerId, long minIndex) throws InterruptedException {
    OpenCheckpointRequest request =
        OpenCheckpointRequest.newBuilder().setShardId(shardId).setMinIndex(minIndex).build();
    for (int failures = 1; ; failures++) {
      try {
        FetchPlan plan =
            FetchPlan.of(
                peerId,
                TransferGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(OPEN_SECONDS, TimeUnit.SECONDS)
                    .openCheckpoint(request));
        if (plan.position().index() < minIndex) {
          throw new TransferException(
              peerId + " offers index " + plan.position().index() + " before " + minIndex, null);
        }
        return plan;
      } catch (StatusRuntimeException e) {
        if (failures >= options.maxAttempts()) {
          throw new TransferException(
              peerId + " gives no checkpoint of shard " + shardId + ": " + e.getStatus(), e);
        }
        LOG.info("{} gives no checkpoint of shard {} now: {}", peerId, shardId, e.getStatus());
        pause(failures);
      }
    }
  }

  /** Removes what does not belong to the plan or is not complete; the journal stays. */
  private void keepOnly(Path directory, FetchPlan plan, Set<String> done) throws IOException {
    Set<String> keep = new HashSet<>();
    for (Item item : plan.files()) {
      Path file = directory.resolve(item.name());
      if (done.contains(item.name()) && files.exists(file) && files.size(file) == item.size()) {
        keep.add(item.name());
      }
    }
    done.retainAll(keep);
    for (String name : files.list(directory)) {
      if (!keep.contains(name) && !name.equals(FetchJournal.NAME)) {
        files.delete(directory.resolve(name));
      }
    }
  }

  private void receiveAll(FetchPlan plan, Set<String> done, Path directory)
      throws IOException, InterruptedException, CheckpointGone {
    try (FetchJournal journal = FetchJournal.begin(files, directory, plan, done)) {
      for (Item item : plan.files()) {
        if (!done.contains(item.name())) {
          receive(plan, item, directory);
          journal.done(item.name());
        }
      }
      files.syncDirectory(directory);
      journal.remove();
    }
  }

  private void receive(FetchPlan plan, Item item, Path directory)
      throws IOException, InterruptedException, CheckpointGone {
    Path path = directory.resolve(item.name());
    try (WritableFile out = files.createUncached(path, IoClass.TRANSFER)) {
      int failures = 0;
      while (out.size() < item.size()) {
        long before = out.size();
        try {
          stream(plan, item, out);
        } catch (AttemptFailed e) {
          failures = out.size() > before ? 1 : failures + 1;
          if (failures >= options.maxAttempts()) {
            throw new TransferException(e.what, e);
          }
          LOG.info("{}; going on from there", e.what);
          pause(failures);
        }
      }
      out.sync();
    } catch (CheckpointGone | TransferException | InterruptedException | IOException e) {
      files.delete(path);
      throw e;
    }
    files.syncDirectory(directory);
  }

  private void stream(FetchPlan plan, Item item, WritableFile out)
      throws IOException, InterruptedException, CheckpointGone, AttemptFailed {
    BlockingClientCall<?, FileChunk> call =
        TransferGrpc.newBlockingV2Stub(channel)
            .readFile(
                ReadFileRequest.newBuilder()
                    .setCheckpointId(plan.checkpointId())
                    .setName(item.name())
                    .setOffset(out.size())
                    .build());
    try {
      while (out.size() < item.size()) {
        FileChunk chunk = call.read(options.stallLimit().toNanos(), TimeUnit.NANOSECONDS);
        if (chunk == null) {
          throw failed(plan, item, out, "ended early", null);
        }
        out.write(checked(chunk, plan, item, out));
        meter.checkpointReceived(chunk.getData().size());
      }
    } catch (TimeoutException e) {
      throw failed(plan, item, out, "stalled for " + options.stallLimit().toMillis() + " ms", e);
    } catch (StatusException e) {
      if (e.getStatus().getCode() == Status.Code.NOT_FOUND) {
        throw new CheckpointGone(e);
      }
      throw failed(plan, item, out, "broke: " + e.getStatus(), e);
    } finally {
      call.cancel("the receiver has what it wants or gives up", null);
    }
  }

  private static ByteBuffer checked(FileChunk chunk, FetchPlan plan, Item item, WritableFile out)
      throws AttemptFailed {
    ByteString data = chunk.getData();
    if (chunk.getOffset() != out.size()
        || data.isEmpty()
        || data.size() > item.size() - out.size()) {
      throw failed(
          plan,
          item,
          out,
          "brought " + data.size() + " bytes of offset " + chunk.getOffset(),
          null);
    }
    CRC32C crc = new CRC32C();
    crc.update(data.asReadOnlyByteBuffer());
    if ((int) crc.getValue() != chunk.getCrc32C()) {
      throw failed(plan, item, out, "brought a corrupt chunk", null);
    }
    return data.asReadOnlyByteBuffer();
  }

  private static AttemptFailed failed(
      FetchPlan plan, Item item, WritableFile out, String how, @Nullable Throwable cause) {
    return new AttemptFailed(
        "the transfer of "
            + item.name()
            + " from "
            + plan.peerId()
            + " "
            + how
            + " at offset "
            + out.size()
            + " of "
            + item.size(),
        cause);
  }

  /** The pin would also end by itself. */
  private void release(FetchPlan plan) {
    try {
      var unused =
          TransferGrpc.newBlockingStub(channel)
              .withDeadlineAfter(RELEASE_SECONDS, TimeUnit.SECONDS)
              .releaseCheckpoint(
                  ReleaseCheckpointRequest.newBuilder()
                      .setCheckpointId(plan.checkpointId())
                      .build());
    } catch (StatusRuntimeException e) {
      LOG.info(
          "{} keeps checkpoint {} until it is idle: {}",
          plan.peerId(),
          plan.checkpointId(),
          e.getStatus());
    }
  }

  private void pause(int failures) throws InterruptedException {
    long first = options.firstBackoff().toMillis();
    long millis =
        Math.min(options.longestBackoff().toMillis(), first << Math.min(20, failures - 1));
    if (closed.await(millis, TimeUnit.MILLISECONDS)) {
      throw new TransferException("this node is stopping", null);
    }
  }
}
