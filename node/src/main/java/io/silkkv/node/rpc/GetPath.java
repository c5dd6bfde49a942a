package io.silkkv.node.rpc;

import com.google.protobuf.ByteString;
import io.silkkv.engine.api.Probe;
import io.silkkv.engine.api.StorageEngine;
import io.silkkv.engine.api.VersionedValue;
import io.silkkv.node.shard.Replica;
import io.silkkv.router.KvErrors;
import io.silkkv.router.Limits;
import io.silkkv.router.Routing;
import io.silkkv.router.Shard;
import io.silkkv.v1.BatchGetRequest;
import io.silkkv.v1.BatchGetResponse;
import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.GetResponse;
import io.silkkv.v1.Reason;
import io.silkkv.v1.StreamReply;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gets and batch gets. What memory answers is answered on the thread that brought the call; only
 * what needs a file moves to the read threads. Thread-safe.
 */
final class GetPath {
  private static final GetResponse ABSENT = GetResponse.getDefaultInstance();

  private final Limits limits;
  private final ShardLocator locator;
  private final LeaderReads reads;
  private final ReadThreads threads;

  GetPath(Limits limits, ShardLocator locator, LeaderReads reads, ReadThreads threads) {
    this.limits = limits;
    this.locator = locator;
    this.reads = reads;
    this.threads = threads;
  }

  void get(PendingCall call) {
    ByteString key = call.call().getGet().getKey();
    ErrorDetail fault = limits.checkKey("key", key);
    if (fault != null) {
      call.fail(fault);
      return;
    }
    Shard shard = locator.shardOf(call, key);
    if (shard != null) {
      reads.whenReadable(call, shard, replica -> get(call, replica, key));
    }
  }

  private void get(PendingCall call, Replica replica, ByteString key) {
    StorageEngine engine = replica.engine();
    GetResponse inMemory = probe(engine, key);
    if (inMemory != null) {
      call.answer(StreamReply.newBuilder().setGet(inMemory));
    } else {
      threads.submit(
          call,
          replica.shardId(),
          () -> call.answer(StreamReply.newBuilder().setGet(read(engine, key))));
    }
  }

  void batchGet(PendingCall call) {
    BatchGetRequest request = call.call().getBatchGet();
    ErrorDetail fault = limits.check(request);
    if (fault != null) {
      call.fail(fault);
      return;
    }
    if (request.getKeysCount() == 0) {
      call.answer(StreamReply.newBuilder().setBatchGet(BatchGetResponse.getDefaultInstance()));
      return;
    }
    if (call.header().getShardId() != 0) {
      for (ByteString key : request.getKeysList()) {
        if (locator.shardOf(call, key) == null) {
          return;
        }
      }
    }
    List<Routing.KeyGroup> groups = Routing.groupByShard(locator.map(), request.getKeysList());
    if (groups.size() == 1) {
      batchGetInShard(call, groups.get(0).shard());
      return;
    }
    BatchGather gather = new BatchGather(call, request.getKeysCount(), groups.size());
    for (Routing.KeyGroup group : groups) {
      batchGetInShard(gather.part(group), group.shard());
    }
  }

  /** All keys of the call lie in one shard. */
  private void batchGetInShard(PendingCall call, Shard shard) {
    reads.whenReadable(call, shard, replica -> batchGet(call, replica));
  }

  private void batchGet(PendingCall call, Replica replica) {
    StorageEngine engine = replica.engine();
    List<ByteString> keys = call.call().getBatchGet().getKeysList();
    @Nullable GetResponse[] values = new GetResponse[keys.size()];
    boolean complete = true;
    for (int i = 0; i < values.length; i++) {
      values[i] = probe(engine, keys.get(i));
      complete &= values[i] != null;
    }
    if (complete) {
      answer(call, values);
    } else {
      threads.submit(call, replica.shardId(), () -> readRest(call, engine, keys, values));
    }
  }

  private static void readRest(
      PendingCall call,
      StorageEngine engine,
      List<ByteString> keys,
      @Nullable GetResponse[] values) {
    List<Integer> missing = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      if (values[i] == null) {
        missing.add(i);
      }
    }
    List<@Nullable VersionedValue> found =
        engine.getAll(missing.stream().map(i -> Bytes.slice(keys.get(i))).toList());
    for (int i = 0; i < found.size(); i++) {
      VersionedValue value = found.get(i);
      values[missing.get(i)] = value == null ? ABSENT : response(value);
    }
    answer(call, values);
  }

  /** Answers with the values, unless they are too many bytes for one message. */
  static void answer(PendingCall call, @Nullable GetResponse[] values) {
    BatchGetResponse.Builder response = BatchGetResponse.newBuilder();
    long bytes = 0;
    for (GetResponse value : values) {
      GetResponse given = value == null ? ABSENT : value;
      bytes += given.getValue().size();
      response.addValues(given);
    }
    if (values.length > 1 && bytes > Limits.REPLY_BYTES) {
      call.fail(
          KvErrors.badField(
              Reason.BATCH_TOO_LARGE,
              "keys",
              "the values of these "
                  + values.length
                  + " keys have "
                  + bytes
                  + " bytes, the limit of one reply is "
                  + Limits.REPLY_BYTES
                  + " bytes: ask for fewer keys at a time"));
      return;
    }
    call.answer(StreamReply.newBuilder().setBatchGet(response));
  }

  /** What memory says; null when files must be asked. */
  private static @Nullable GetResponse probe(StorageEngine engine, ByteString key) {
    Probe probe = engine.probe(Bytes.slice(key));
    if (probe instanceof Probe.Found found) {
      return response(found.value());
    }
    return probe instanceof Probe.Absent ? ABSENT : null;
  }

  private static GetResponse read(StorageEngine engine, ByteString key) {
    VersionedValue value = engine.get(Bytes.slice(key));
    return value == null ? ABSENT : response(value);
  }

  private static GetResponse response(VersionedValue value) {
    return GetResponse.newBuilder()
        .setFound(true)
        .setValue(Bytes.byteString(value.value()))
        .setVersion(value.version())
        .build();
  }
}
