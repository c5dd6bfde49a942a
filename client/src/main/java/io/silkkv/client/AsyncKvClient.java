package io.silkkv.client;

import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The asynchronous view of a {@link KvClient}. No method blocks and none throws for a bad request:
 * each future ends, soon after the deadline at the latest, with a value or a {@link KvException}.
 * When too much is in flight it is {@link KvException.Overloaded}, at once. Cancelling a future
 * gives the call up; a write may be applied all the same. Thread-safe.
 *
 * <p>Dependent actions run on the client's I/O thread unless the builder was given a callback
 * executor: keep them short, and do not block in them.
 */
public final class AsyncKvClient {
  private final ClientCore core;
  private final long deadlineNanos;

  AsyncKvClient(ClientCore core, long deadlineNanos) {
    this.core = core;
    this.deadlineNanos = deadlineNanos;
  }

  /** This view with another deadline. */
  public AsyncKvClient withDeadline(Duration deadline) {
    return new AsyncKvClient(core, KvClientBuilder.checked("deadline", deadline).toNanos());
  }

  /** See {@link KvClient#get(byte[])}. */
  public CompletableFuture<Optional<KvEntry>> get(byte[] key) {
    return submit(() -> Requests.get(key, deadline()));
  }

  /** See {@link KvClient#get(byte[])}. */
  public CompletableFuture<Optional<KvEntry>> get(String key) {
    return get(utf8(key));
  }

  /** See {@link KvClient#batchGet}. */
  public CompletableFuture<List<Optional<KvEntry>>> batchGet(List<byte[]> keys) {
    return keys.isEmpty()
        ? CompletableFuture.completedFuture(Requests.noEntries())
        : submit(() -> Requests.batchGet(keys, deadline()));
  }

  /** See {@link KvClient#put(byte[], byte[])}. */
  public CompletableFuture<Long> put(byte[] key, byte[] value) {
    return submit(() -> Requests.put(key, value, deadline()));
  }

  /** See {@link KvClient#put(byte[], byte[])}. */
  public CompletableFuture<Long> put(String key, String value) {
    return put(utf8(key), utf8(value));
  }

  /** See {@link KvClient#delete(byte[])}. */
  public CompletableFuture<Long> delete(byte[] key) {
    return submit(() -> Requests.delete(key, deadline()));
  }

  /** See {@link KvClient#delete(byte[])}. */
  public CompletableFuture<Long> delete(String key) {
    return delete(utf8(key));
  }

  /** See {@link KvClient#deleteRange}. */
  public CompletableFuture<Void> deleteRange(byte[] start, byte[] end) {
    ByteString bound = end.length == 0 ? null : ByteString.copyFrom(end);
    return deleteFrom(ByteString.copyFrom(start), bound);
  }

  private CompletableFuture<Void> deleteFrom(ByteString start, @Nullable ByteString end) {
    return submit(() -> Requests.deleteRange(start, end, deadline()))
        .thenCompose(
            rest ->
                rest.isPresent()
                    ? deleteFrom(rest.get(), end)
                    : CompletableFuture.<Void>completedFuture(null));
  }

  /** See {@link KvClient#write}. */
  public CompletableFuture<WriteResult> write(KvBatch batch) {
    return submit(() -> Requests.write(batch, deadline()));
  }

  private <T> CompletableFuture<T> submit(Supplier<Operation<T>> request) {
    try {
      Operation<T> operation = request.get();
      operation.callbacksOn(core.options().callbackExecutor());
      return core.submit(operation);
    } catch (KvException.InvalidRequest refused) {
      return CompletableFuture.failedFuture(refused);
    }
  }

  private long deadline() {
    return core.deadlineAfter(deadlineNanos);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
