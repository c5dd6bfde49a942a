package io.silkkv.client;

import com.google.protobuf.ByteString;
import io.silkkv.router.Limits;
import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.Mutation;
import io.silkkv.v1.ScanRequest;
import io.silkkv.v1.WriteRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * From the application's arguments to checked calls: what is wrong or too large fails here, before
 * anything is sent. Arrays are copied, so the application may reuse them.
 */
final class Requests {
  private static final Limits LIMITS = Limits.DEFAULT;

  private Requests() {}

  static GetOperation get(byte[] key, long deadlineNanos) {
    return new GetOperation(checkedKey("key", key), deadlineNanos);
  }

  static BatchGetOperation batchGet(List<byte[]> keys, long deadlineNanos) {
    List<ByteString> copies = new ArrayList<>(keys.size());
    long bytes = 0;
    for (int i = 0; i < keys.size(); i++) {
      copies.add(checkedKey("keys[" + i + "]", keys.get(i)));
      bytes += keys.get(i).length;
    }
    // A batch get is cut into messages of any size; only what it keeps in memory is bounded.
    if (bytes > LIMITS.batchBytes()) {
      throw new KvException.InvalidRequest(
          ErrorReason.BATCH_TOO_LARGE,
          "the keys of a batch get have "
              + bytes
              + " bytes, the limit is "
              + LIMITS.batchBytes()
              + " bytes: split it into smaller ones",
          "keys",
          false);
    }
    return new BatchGetOperation(List.copyOf(copies), deadlineNanos, (int) bytes);
  }

  static WriteOperation<Long> put(byte[] key, byte[] value, long deadlineNanos) {
    Mutation.Put put =
        Mutation.Put.newBuilder()
            .setKey(ByteString.copyFrom(key))
            .setValue(ByteString.copyFrom(value))
            .build();
    refuse(LIMITS.checkKey("key", put.getKey()));
    refuse(LIMITS.checkValue("value", put.getValue()));
    return single(Mutation.newBuilder().setPut(put), deadlineNanos);
  }

  static WriteOperation<Long> delete(byte[] key, long deadlineNanos) {
    Mutation.Delete delete = Mutation.Delete.newBuilder().setKey(checkedKey("key", key)).build();
    return single(Mutation.newBuilder().setDelete(delete), deadlineNanos);
  }

  /**
   * Deletes the part of a range that lies in the shard of its start.
   *
   * @return where the rest begins; empty when there is none
   */
  static WriteOperation<Optional<ByteString>> deleteRange(
      ByteString start, @Nullable ByteString end, long deadlineNanos) {
    Mutation.DeleteRange.Builder all = Mutation.DeleteRange.newBuilder().setStart(start);
    if (end != null) {
      all.setEnd(end);
    }
    WriteRequest request =
        WriteRequest.newBuilder().addMutations(Mutation.newBuilder().setDeleteRange(all)).build();
    refuse(LIMITS.check(request));
    RangeDeletion range = new RangeDeletion(start, end);
    return new WriteOperation<>(
        request, range, result -> Optional.ofNullable(range.rest()), deadlineNanos);
  }

  static WriteOperation<WriteResult> write(KvBatch batch, long deadlineNanos) {
    WriteRequest request = batch.toRequest();
    refuse(LIMITS.check(request));
    return new WriteOperation<>(request, Function.identity(), deadlineNanos);
  }

  /** Refuses bounds that no key can reach. */
  static void check(ScanOptions options) {
    ByteString end = options.end();
    refuse(
        LIMITS.check(
            ScanRequest.newBuilder()
                .setStart(options.start())
                .setEnd(end == null ? ByteString.EMPTY : end)
                .build()));
  }

  /** The answer of a batch get without keys. */
  static List<Optional<KvEntry>> noEntries() {
    return new ArrayList<>();
  }

  private static WriteOperation<Long> single(Mutation.Builder mutation, long deadlineNanos) {
    return new WriteOperation<>(
        WriteRequest.newBuilder().addMutations(mutation).build(),
        WriteResult::version,
        deadlineNanos);
  }

  private static ByteString checkedKey(String field, byte[] key) {
    ByteString copy = ByteString.copyFrom(key);
    refuse(LIMITS.checkKey(field, copy));
    return copy;
  }

  private static void refuse(@Nullable ErrorDetail fault) {
    if (fault != null) {
      throw KvException.of(fault, false);
    }
  }
}
