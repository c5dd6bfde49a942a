package io.silkkv.ops.bench.cluster;

import io.silkkv.ops.bench.load.AsyncLoadTarget;
import io.silkkv.ops.bench.load.EntrySink;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Tells an {@link Availability} about every success of another target, which it does not own. */
final class WatchedTarget implements AsyncLoadTarget {
  private final AsyncLoadTarget target;
  private final Availability availability;

  WatchedTarget(AsyncLoadTarget target, Availability availability) {
    this.target = target;
    this.availability = availability;
  }

  @Override
  public CompletableFuture<Void> put(byte[] key, byte[] value) {
    return watched(target.put(key, value));
  }

  @Override
  public CompletableFuture<byte @Nullable []> get(byte[] key) {
    return watched(target.get(key));
  }

  @Override
  public CompletableFuture<Integer> scan(byte[] start, int limit, EntrySink sink) {
    return watched(target.scan(start, limit, sink));
  }

  @Override
  public CompletableFuture<Void> delete(byte[] key) {
    return watched(target.delete(key));
  }

  private <T> CompletableFuture<T> watched(CompletableFuture<T> answer) {
    return answer.whenComplete(
        (value, error) -> {
          if (error == null) {
            availability.success();
          }
        });
  }

  @Override
  public void close() {}
}
