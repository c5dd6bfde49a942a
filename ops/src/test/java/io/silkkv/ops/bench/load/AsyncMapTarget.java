package io.silkkv.ops.bench.load;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** A correct store that has its answers at once. */
class AsyncMapTarget implements AsyncLoadTarget {
  private final MapTarget store = new MapTarget();

  @Override
  public CompletableFuture<Void> put(byte[] key, byte[] value) {
    return done(
        () -> {
          store.put(key, value);
          return null;
        });
  }

  @Override
  public CompletableFuture<byte[]> get(byte[] key) {
    return done(() -> store.get(key));
  }

  @Override
  public CompletableFuture<Integer> scan(byte[] start, int limit, EntrySink sink) {
    return done(() -> store.scan(start, limit, sink));
  }

  @Override
  public CompletableFuture<Void> delete(byte[] key) {
    return done(
        () -> {
          store.delete(key);
          return null;
        });
  }

  private static <T> CompletableFuture<T> done(Callable<T> call) {
    try {
      return CompletableFuture.completedFuture(call.call());
    } catch (Exception e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public void close() {}
}
