package io.silkkv.ops;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.client.KvClient;
import io.silkkv.client.KvEntry;
import io.silkkv.ops.bench.load.AsyncLoadTarget;
import io.silkkv.ops.bench.load.EntrySink;
import io.silkkv.ops.bench.load.data.KeyFormat;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A cluster that remembers which puts were acknowledged. Thread-safe; the client is not owned. */
final class DemoTarget implements AsyncLoadTarget {
  private final KvClient client;
  private final KeyFormat keys;

  @GuardedBy("acknowledged")
  private final BitSet acknowledged = new BitSet();

  DemoTarget(KvClient client, KeyFormat keys) {
    this.client = client;
    this.keys = keys;
  }

  /** Indexes of the keys whose put was acknowledged so far. */
  BitSet acknowledged() {
    synchronized (acknowledged) {
      return (BitSet) acknowledged.clone();
    }
  }

  @Override
  public CompletableFuture<Void> put(byte[] key, byte[] value) {
    return client
        .async()
        .put(key, value)
        .thenAccept(
            version -> {
              synchronized (acknowledged) {
                acknowledged.set((int) keys.index(key));
              }
            });
  }

  @Override
  public CompletableFuture<byte @Nullable []> get(byte[] key) {
    return client.async().get(key).thenApply(found -> found.map(KvEntry::value).orElse(null));
  }

  @Override
  public CompletableFuture<Integer> scan(byte[] start, int limit, EntrySink sink) {
    return CompletableFuture.failedFuture(
        new UnsupportedOperationException("the demo scans with the client itself"));
  }

  @Override
  public CompletableFuture<Void> delete(byte[] key) {
    return client.async().delete(key).thenAccept(version -> {});
  }

  @Override
  public void close() {}
}
